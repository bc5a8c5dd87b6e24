// In: the regions of a program, and what makes one of two. Out: the same with neighbours put together, also inside of
// loops of the host.
import {
  type Program,
  nestProgram,
  type Flat,
  type Form,
  type HostLoop,
  type Nest,
  type Idiom,
  type Region,
  type Maps,
  loopRegions,
  type PassContext,
  type Representation,
  type Regions,
  type Rows,
  type Sums,
} from '../../ir/index.ts'
import type { SizeProducts } from '../normalize/size-linearization.ts'

/** What passes over regions ask of what stands above them. */
export interface RegionContext extends PassContext {
  /** Sizes that stand for products of others. */
  readonly sizes: SizeProducts
  readonly kernels: Kernels
}

/** Whether what a pass would make has a kernel that is worth it. */
export interface Kernels {
  readonly isProduct: (program: Program, nest: Nest) => boolean
  readonly isContraction: (program: Program, flat: Flat) => boolean
  /** Whether a nest with its twin is scheduled as a product in tiles. */
  readonly hasTiles: (program: Program, nest: Nest) => boolean
  readonly makesRows: (program: Program, form: Rows) => boolean
  readonly makesSums: (program: Program, form: Sums) => boolean
  readonly makesMaps: (program: Program, form: Maps) => boolean
}

/** Regions beside the kernels that they may become (`RegionContext`). */
export const regionsWithKernels: Representation<Regions> = { ...loopRegions }

/** `given` with other regions; itself when they are the same. */
export const withRegions = (given: Regions, regions: readonly Region[]): Regions =>
  regions === given.regions ? given : { ...given, regions }

/**
 * From the first region on: `join` gets what stands before, itself joined perhaps, and what comes next; `undefined`
 * leaves them apart.
 */
export function joinedNeighbours(
  regions: readonly Region[],
  join: (before: Exclude<Region, HostLoop>, next: Exclude<Region, HostLoop>) => Region | undefined,
): readonly Region[] {
  const out: Region[] = []
  for (const region of regions) {
    const r = region.kind === 'host' ? withBody(region, joinedNeighbours(region.body, join)) : region,
      last = out[out.length - 1]
    const joined = last && last.kind !== 'host' && r.kind !== 'host' ? join(last, r) : undefined
    if (joined) out[out.length - 1] = joined
    else out.push(r)
  }
  return out.length === regions.length && out.every((r, i) => r === regions[i]) ? regions : out
}

/** The loop around other regions; itself when they are the same. */
export const withBody = (r: HostLoop, body: readonly Region[]): HostLoop => (body === r.body ? r : { ...r, body })

/** Each region that is no loop of the host, also inside of those, as `f` makes it; itself when nothing changed. */
export function mapRegions(regions: readonly Region[], f: (r: Exclude<Region, HostLoop>) => Region): readonly Region[] {
  const out = regions.map((r) => (r.kind === 'host' ? withBody(r, mapRegions(r.body, f)) : f(r)))
  return out.every((r, i) => r === regions[i]) ? regions : out
}

/** The part that computes `nests`, one after the other, as one form. */
export const partOfForm = (program: Program, nests: readonly Nest[], form: Form): Idiom => ({
  kind: 'idiom',
  body: nests.flatMap((n) => nestProgram(program, n).body),
  why: '',
  parallel: 0,
  form,
})
