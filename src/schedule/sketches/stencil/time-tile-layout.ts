// What a tile of a time loop is: its threads, the cells of each and the halo; which sweeps run side by side between two
// barriers, and what threads show each other in workgroup memory meanwhile, a slot for each cell of a thread's box that
// others read.
import { bytesOf, type ArrayDecl, type Sweep, type TimeTiles } from '../../../ir/index.ts'
import { arraysOfSweeps, distanceOf, haloOf, readsOfSweep, writtenBy } from '../../../transform/index.ts'
import { axesOf, cellBox, neighbourOf } from './grid-cells.ts'

/** Parameters of tiles that stand still. */
export type StandingPoint = {
  /** Steps of time of a launch. */
  readonly steps: number
  /** 1: arrays that are never read at the same time share workgroup memory. */
  readonly share: number
} & {
  /** By axis: threads of a block, and cells of a thread. */
  readonly [size in `${'t' | 'p'}${'x' | 'y' | 'z'}`]?: number
}

/**
 * A tile: per dimension its threads, the cells of each, all cells, those before the middle, and those of the middle.
 */
export interface Tile {
  readonly threads: readonly number[]
  readonly own: readonly number[]
  readonly all: readonly number[]
  readonly before: readonly number[]
  readonly out: readonly number[]
}

export function tileOf(form: TimeTiles, p: StandingPoint): Tile {
  const names = axesOf(form),
    last = names.length - 1
  const threads = names.map((a) => p[`t${a}`]!),
    own = names.map((a) => p[`p${a}`]!) // points have them
  const halo = haloOf(form, p.steps)
  // vectors start on their boundaries
  const wide = (n: number, d: number): number => (d === last ? Math.ceil(n / own[d]!) * own[d]! : n)
  const all = threads.map((n, d) => n * own[d]!),
    before = halo.before.map(wide)
  return { threads, own, all, before, out: all.map((n, d) => n - before[d]! - wide(halo.after[d]!, d)) }
}

/** Sweeps that threads run side by side between two barriers. */
export interface Phase {
  readonly sweeps: readonly Sweep[]
  /** Written arrays that are read at other cells. */
  readonly reads: ReadonlySet<string>
  readonly writes: ReadonlySet<string>
}

/** What threads show each other, and when. */
export class Spread {
  readonly phases: readonly Phase[]
  /** By array: the cells of a thread's box that others read, by position; the key is `cellKey`. */
  readonly slots: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Arrays that are shown in the same memory, one after the other. */
  readonly groups: readonly (readonly ArrayDecl[])[]

  constructor(
    private readonly form: TimeTiles,
    private readonly tile: Tile,
    share: boolean,
  ) {
    this.phases = phasesOf(form)
    this.slots = new Map(arraysOfSweeps(form).map((a) => [a.name, this.slotsOf(a.name)]))
    this.groups = this.grouped(share)
  }

  get bytes(): number {
    const threads = this.tile.threads.reduce((n, x) => n * x, 1)
    return this.groups.reduce((n, g) => n + this.slotsIn(g) * threads * bytesOf[g[0]!.type], 0) // no group is empty
  }

  /** Barriers of one step. */
  get barriers(): number {
    return this.phases.reduce((n, _, i) => n + (this.isApart(i) ? 2 : 1), 0)
  }

  slotsIn(group: readonly ArrayDecl[]): number {
    return Math.max(...group.map((a) => this.slots.get(a.name)!.size))
  } // made for every array

  /** Arrays of one type that are never read between the same two phases. */
  private grouped(share: boolean): readonly (readonly ArrayDecl[])[] {
    const groups: ArrayDecl[][] = []
    const together = (a: ArrayDecl, b: ArrayDecl): boolean =>
      a.type === b.type && this.phases.every((_, n) => !(this.isRead(a.name, n) && this.isRead(b.name, n)))
    for (const a of arraysOfSweeps(this.form)) {
      if (this.slots.get(a.name)!.size === 0) continue // made above
      const found = share ? groups.find((g) => g.every((b) => together(a, b))) : undefined
      if (found) found.push(a)
      else groups.push([a])
    }
    return groups
  }

  /** Whether what phase `n` shows lies where others still read in it. */
  isApart(n: number): boolean {
    const p = this.phases[n]!
    const shown = [...p.writes].filter((a) => this.isRead(a, n))
    return this.groups.some((g) => g.some((a) => p.reads.has(a.name)) && g.some((a) => shown.includes(a.name)))
  }

  private slotsOf(array: string): ReadonlyMap<string, number> {
    const keys = new Map<string, number>()
    const seen = new Set<string>()
    for (const s of this.form.sweeps)
      for (const r of readsOfSweep(s)) {
        const far = r.array === array ? distanceOf(r, this.form.cells) : undefined
        if (!far || seen.has(far.join())) continue
        seen.add(far.join())
        for (const cell of cellBox(this.tile.own)) {
          const { cell: from, away } = this.neighbour(cell, far)
          const key = from.join()
          if (away.some((x) => x !== 0) && !keys.has(key)) keys.set(key, keys.size)
        }
      }
    return keys
  }

  neighbour(cell: readonly number[], far: readonly number[]): ReturnType<typeof neighbourOf> {
    return neighbourOf(this.tile.own, cell, far)
  }

  /** Whether something reads `array` in workgroup memory after phase `n` and before it is written again. */
  isRead(array: string, n: number): boolean {
    const count = this.phases.length
    if (this.slots.get(array)!.size === 0) return false // made for every array
    for (let k = 1; k <= count; k++) {
      const p = this.phases[(n + k) % count]!
      if (p.reads.has(array)) return true
      if (p.writes.has(array)) return false
    }
    return false
  }
}

function phasesOf(form: TimeTiles): readonly Phase[] {
  const names = writtenBy(form)
  const out: { sweeps: Sweep[]; reads: Set<string>; writes: Set<string> }[] = []
  for (const s of form.sweeps) {
    const far = readsOfSweep(s)
      .filter((r) => names.has(r.array) && distanceOf(r, form.cells)!.some((x) => x !== 0))
      .map((r) => r.array) // the form is local
    let last = out[out.length - 1]
    if (!last || far.some((a) => last!.writes.has(a)))
      out.push((last = { sweeps: [], reads: new Set(), writes: new Set() }))
    last.sweeps.push(s)
    far.forEach((a) => last.reads.add(a))
    last.writes.add(s.array.name)
  }
  return out
}
