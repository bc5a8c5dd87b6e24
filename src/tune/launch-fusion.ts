// Horizontal fusion. In: a plan. Out: the same plan with small launches that do not depend on each other merged into
// one kernel whose blocks run side by side. The one idea: a launch costs microseconds, and few blocks leave most of the
// device idle; one launch pays once and fills it better.
import { estimateRegisters } from '../model/index.ts'
import {
  writtenIn,
  gridExecutions,
  meetsGrid,
  planValue,
  sharedBytesOf,
  type Kernel,
  type Plan,
  type PlanLaunch,
  type PlanStep,
  type PlanValues,
  type PlanVariant,
  type Resource,
} from '../ir/index.ts'
import { joinLaunches, lanesOf } from '../schedule/index.ts'

export interface FusedLaunches {
  readonly plan: Plan
  /** The kernels that stand in one, by its name. */
  readonly members: ReadonlyMap<string, readonly string[]>
}

/**
 * Most launches in one; most buffers, which is what WebGPU gives everywhere; most bytes of workgroup memory of all
 * together, and registers of each: more would keep blocks out.
 */
const mostLaunches = 4,
  mostBuffers = 8,
  mostShared = 16384,
  mostRegisters = 64
/**
 * What a multiprocessor has for all its blocks, on every GPU in the catalogue's newer half: launches that fit in it
 * together keep nobody out.
 */
const registerFile = 65536,
  sharedFile = 65536
/**
 * A launch of at most so many blocks per multiprocessor is small; beside a small one stands at most one of `fewBlocks`,
 * or finding out whose a block is costs more than a launch.
 */
const smallBlocks = 16,
  fewBlocks = 64

/**
 * Joins launches of each variant, small ones at the planned `values`, next to each other where the order may change.
 */
export function fusedLaunches(plan: Plan, values: PlanValues, multiprocessors: number): FusedLaunches {
  const members = new Map<string, readonly string[]>()
  const variants = plan.variants.map((v) => joined(v, sizesOf(v, values, multiprocessors), members))
  return { plan: members.size === 0 ? plan : { ...plan, variants }, members }
}

/**
 * Pairs of launches, by position in the last variant, that would be joined if their blocks had the same number of
 * threads.
 */
export function nearlyTogether(
  plan: Plan,
  values: PlanValues,
  multiprocessors: number,
): readonly (readonly [number, number])[] {
  const v = plan.variants.at(-1)! // a plan has one
  const { perCore, small, few } = sizesOf(v, values, multiprocessors)
  const pairs: (readonly [number, number])[] = []
  const look = (steps: readonly PlanStep[]): void =>
    steps.forEach((s, at) => {
      if (typeof s !== 'number') return look(s.body)
      for (let before = at - 1; before >= 0; before--) {
        const other = steps[before]!
        if (typeof other !== 'number' || needs(v.launches[other]!, v.launches[s]!)) return
        const both = [v.launches[other]!, v.launches[s]!] as const
        if (
          (small.has(other) || small.has(s)) &&
          few.has(other) &&
          few.has(s) &&
          !sameBlock(...both) &&
          fitButBlocks(
            both,
            [other, s].map((j) => perCore.get(j) ?? 0),
          )
        )
          pairs.push([other, s])
      }
    })
  look(v.steps ?? v.launches.map((_, i) => i))
  return pairs
}

/**
 * Blocks per multiprocessor of each launch, by position; launches that never have more blocks than a small one, and
 * than one that may stand beside it.
 */
interface Sizes {
  readonly perCore: ReadonlyMap<number, number>
  readonly small: ReadonlySet<number>
  readonly few: ReadonlySet<number>
}

function sizesOf(v: PlanVariant, values: PlanValues, multiprocessors: number): Sizes {
  const most = new Map<number, number>()
  for (const { launch, position, values: at } of gridExecutions(v, values)) {
    most.set(
      position,
      Math.max(
        most.get(position) ?? 0,
        launch.grid.reduce((n, e) => n * Math.max(0, planValue(e, at)), 1),
      ),
    )
  }
  const below = (limit: number): ReadonlySet<number> =>
    new Set([...most].filter(([, blocks]) => blocks <= limit * multiprocessors).map(([p]) => p))
  return {
    perCore: new Map([...most].map(([p, blocks]) => [p, Math.ceil(blocks / multiprocessors)])),
    small: below(smallBlocks),
    few: below(fewBlocks),
  }
}

function joined(v: PlanVariant, sizes: Sizes, members: Map<string, readonly string[]>): PlanVariant {
  const launches: PlanLaunch[] = []
  const names = new Set(v.launches.map((l) => l.kernel.name))
  const place = (group: readonly PlanLaunch[]): number => {
    if (group.length === 1) return launches.push(group[0]!) - 1
    const own = group.map((l) => l.kernel.name)
    let name = `${own[0]!}_together`
    for (let n = 2; names.has(name); n++) name = `${own[0]!}_together_${n}`
    names.add(name)
    members.set(name, own)
    return launches.push(joinLaunches(group, name)) - 1
  }
  const stepsOf = (steps: readonly PlanStep[]): readonly PlanStep[] => {
    const out: PlanStep[] = []
    let run: number[] = []
    const flush = (): void => {
      out.push(...groupsOf(run, v.launches, sizes).map((g) => place(g.map((i) => v.launches[i]!))))
      run = []
    } // positions in it
    for (const s of steps) {
      if (typeof s === 'number') run.push(s)
      else {
        flush()
        out.push({ ...s, body: stepsOf(s.body) })
      }
    }
    flush()
    return out
  }
  const steps = stepsOf(v.steps ?? v.launches.map((_, i) => i))
  return launches.length === v.launches.length ? v : { ...v, launches, ...(v.steps && { steps }) }
}

/** The launches of a list in groups, in an order in which each finds what it needs. */
function groupsOf(
  run: readonly number[],
  launches: readonly PlanLaunch[],
  { perCore, small, few }: Sizes,
): readonly (readonly number[])[] {
  const groups: number[][] = []
  for (const i of run) {
    const own = launches[i]! // a position in it
    const after = groups.findLastIndex((g) => g.some((j) => needs(launches[j]!, own))) + 1
    const fits = groups.slice(after).find(
      (g) =>
        [...g, i].every((j) => few.has(j)) &&
        [...g, i].some((j) => small.has(j)) &&
        fit(
          [...g, i].map((j) => launches[j]!),
          [...g, i].map((j) => perCore.get(j) ?? 0),
        ),
    )
    if (fits) fits.push(i)
    else groups.push([i])
  }
  return groups
}

/** Whether one writes what the other uses. */
function needs(a: PlanLaunch, b: PlanLaunch): boolean {
  const [x, y] = [a, b].map(usesOfArrays) as [Uses, Uses] // two in, two out
  return [...x.written].some((n) => y.written.has(n) || y.read.has(n)) || [...x.read].some((n) => y.written.has(n))
}

interface Uses {
  readonly read: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

/** Arrays whose loads are held are declared as if they were written. */
function usesOfArrays({ kernel, arguments: bound }: PlanLaunch): Uses {
  const stored = storedIn(kernel),
    of = (wanted: (r: Resource) => boolean): ReadonlySet<string> =>
      new Set(kernel.resources.flatMap((r) => (bound[r.name] !== undefined && wanted(r) ? [bound[r.name]!] : [])))
  return { read: of((r) => r.access !== 'write'), written: of((r) => stored.has(r.name)) }
}

const knownStores = new WeakMap<Kernel, ReadonlySet<string>>()

/** Resources that some statement changes. */
function storedIn(kernel: Kernel): ReadonlySet<string> {
  const known = knownStores.get(kernel)
  if (known) return known
  const stored = writtenIn(kernel.body)
  knownStores.set(kernel, stored)
  return stored
}

const fit = (group: readonly PlanLaunch[], perCore: readonly number[]): boolean =>
  group.every((l) => sameBlock(l, group[0]!) && !meetsGrid(l.kernel)) && fitButBlocks(group, perCore)

const sameBlock = (a: PlanLaunch, b: PlanLaunch): boolean => a.kernel.block.every((n, d) => n === b.kernel.block[d])

/** `perCore`: blocks of each launch on a multiprocessor. */
function fitButBlocks(group: readonly PlanLaunch[], perCore: readonly number[]): boolean {
  const kernels = group.map((l) => l.kernel),
    blocks = perCore.reduce((n, b) => n + b, 0),
    threads = kernels[0]!.block.reduce((n, d) => n * d, 1)
  const registers = Math.max(...kernels.map(estimateRegisters)),
    shared = Math.max(...kernels.map(sharedBytesOf))
  const room = blocks * threads * registers <= registerFile && blocks * shared <= sharedFile
  return (
    group.length <= mostLaunches &&
    (room || registers <= mostRegisters) &&
    accessedAlike(group) &&
    new Set(group.flatMap((l) => Object.values(l.arguments))).size <= mostBuffers &&
    (room || kernels.reduce((n, k) => n + sharedBytesOf(k), 0) <= mostShared)
  )
}

/**
 * Whether all read an array in elements or all in vectors: where both occur, elements of vectors are picked at run
 * time.
 */
function accessedAlike(group: readonly PlanLaunch[]): boolean {
  const widths = new Map<string, string>()
  return group.every(({ kernel, arguments: bound }) =>
    kernel.resources.every((r) => {
      const array = bound[r.name]
      if (array === undefined) return true
      const own = lanesOf(kernel, r.name),
        known = widths.get(array)
      widths.set(array, own)
      return known === undefined || known === own
    }),
  )
}
