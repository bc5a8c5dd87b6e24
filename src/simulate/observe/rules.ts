// In: shapes of requests, from any kernel. Out: what the profile's rules say of them. The one idea: kernels of one
// program ask for memory in the same few thousand shapes, so each is put to the rules once per profile; a shape is
// known by all that the rules look at.
import type { GpuProfile } from '../../gpus/index.ts'
import { countsUp, measureRequest, moves, type Metrics, type Site } from './sites.ts'

/** Shapes remembered per profile, about 400 bytes each. */
const mostShapes = 65536
/** Shapes whose indices share one array: an array for each is memory that the collector must ask about. */
const perSlab = 1024

interface Known {
  readonly traits: number
  readonly active: number
  readonly place: number
  /** Where its 32 relative indices begin. */
  readonly slab: Int32Array
  readonly from: number
  readonly metrics: Metrics
}

export class Rules {
  private readonly profile: GpuProfile
  private readonly traits = new Map<string, number>()
  private readonly known = new Map<number, Known[]>()
  private slab = new Int32Array(0)
  private count = 0

  constructor(profile: GpuProfile) {
    this.profile = profile
  }

  /** A number for all that is fixed about a site and that the rules look at. */
  traitsOf({ steps, resource, stmt, bytesPerLane, alignment }: Site): number {
    const text = `${resource.space} ${moves(stmt)} ${steps.stride} ${bytesPerLane} ${alignment} ${countsUp(stmt)}`
    const found = this.traits.get(text)
    if (found !== undefined) return found
    this.traits.set(text, this.traits.size)
    return this.traits.size - 1
  }

  /** As `measureRequest`; lanes that are not active are 0 in `relative`, of which `hash` is a function. */
  measure(site: Site, traits: number, active: number, place: number, relative: Int32Array, hash: number): Metrics {
    const key = hash ^ Math.imul(traits + 1, 0x9e3779b1),
      bucket = this.known.get(key)
    if (bucket)
      for (const k of bucket)
        if (k.traits === traits && k.active === active && k.place === place && isAlike(k, relative)) return k.metrics
    const metrics = measureRequest(this.profile, site, active, place, relative)
    if (this.count === mostShapes) {
      this.known.clear()
      this.count = 0
    }
    const from = 32 * (this.count++ % perSlab)
    if (from === 0) this.slab = new Int32Array(32 * perSlab)
    this.slab.set(relative, from)
    const fresh: Known = { traits, active, place, slab: this.slab, from, metrics }
    if (bucket && this.count > 1) bucket.push(fresh)
    else this.known.set(key, [fresh])
    return metrics
  }
}

function isAlike({ slab, from }: Known, relative: Int32Array): boolean {
  for (let l = 0; l < 32; l++) if (slab[from + l] !== relative[l]) return false
  return true
}

const rules = new WeakMap<GpuProfile, Rules>()

/** What is known of a profile's rules so far. */
export function rulesOf(profile: GpuProfile): Rules {
  const known = rules.get(profile) ?? new Rules(profile)
  rules.set(profile, known)
  return known
}
