// In: all blocks of a grid, and a way to run one. Out: classes of blocks that count the same, each with the block that
// ran for it. The one idea: run a block, derive what others must share with it, take out all that do, and go on with
// those that are left; so the classes are derived from the kernel and none is guessed. Blocks that contents tell apart
// are left, for the caller to run or to sample.
import type { Dim3 } from '../../ir/index.ts'
import type { Margins } from '../jit/margins.ts'
import type { Condition, Conditions } from './differences.ts'
import type { BlockTerm } from './term.ts'

/** What a block did, as its class is found by. */
export interface Ran {
  readonly conditions: Conditions
  readonly margins: (index: number) => Margins
  /** Smallest and largest index that a site has seen, and those that are in bounds. */
  readonly seen: (site: number) => Bounds
  readonly bounds: (site: number) => Bounds
}
interface Bounds {
  readonly low: number
  readonly high: number
}

/** A question about a block. */
type Test = (x: number, y: number, z: number) => boolean

/** A question about a block of one row of the grid. */
type InRow = (x: number) => boolean

/** Which blocks of a row count as the one that ran; null: none. */
export type Alike = (y: number, z: number) => InRow | null

/** Values that 32 bits hold, signed, end below this. */
const wraps = 2 ** 31

/** The test that says which blocks of the grid count as `block`, which ran. */
export function testOf(block: Dim3, grid: Dim3, ran: Ran): Alike {
  const conditions = ran.conditions ?? []
  const along = [1, 2, 4].map((axis) => conditions.filter((c) => axesOf(c) === axis))
  const [x, y, z] = along.map((list, axis) => {
    const passes = all(list.map((c) => conditionTest(block, c, ran)))
    return remembered(grid[axis]!, (n) => {
      const at = block.map((v, a) => (a === axis ? n : v)) as unknown as [number, number, number] // three of three
      return passes(...at)
    })
  })
  const others = conditions
    .filter((c) => !along.some((list) => list.includes(c)))
    .map((c) => rowTest(block, grid, c, ran))
  const inRow: InRow = x!
  return (j, k) => {
    if (!y!(j) || !z!(k)) return null
    const tests: InRow[] = []
    for (const other of others) {
      const test = other(j, k)
      if (test === null) return null
      if (test !== 'all') tests.push(test)
    }
    return tests.length === 0 ? inRow : (i) => inRow(i) && tests.every((t) => t(i))
  }
}

/** Whether all tests pass. The one that failed last is asked first: blocks of other classes mostly fail it too. */
function all(tests: Test[]): Test {
  return (x, y, z) => {
    const failed = tests.findIndex((t) => !t(x, y, z))
    if (failed > 0) tests.unshift(...tests.splice(failed, 1))
    return failed < 0
  }
}

/** Bit 0, 1, 2: the condition depends on the block's index along x, y, z. */
function axesOf(c: Condition): number {
  switch (c.kind) {
    case 'same':
    case 'inside':
      return c.term.axes
    case 'alike':
      return c.a.axes | c.b.axes | (c.wide?.axes ?? 0)
  }
}

/** Whether a condition must be asked of each block, as no axis of the grid alone answers it. */
export const isOfSeveralAxes = (c: Condition): boolean => ![0, 1, 2, 4].includes(axesOf(c))

/** A question about 0 … count − 1, asked once for each. */
function remembered(count: number, ask: (n: number) => boolean): (n: number) => boolean {
  const answers = new Int8Array(count)
  return (n) => {
    if (answers[n] === 0) answers[n] = ask(n) ? 1 : -1
    return answers[n] === 1
  }
}

/** A condition on several axes, asked of a row: 'all' blocks of it, none (null), or each. */
function rowTest(
  block: Dim3,
  grid: Dim3,
  condition: Condition,
  ran: Ran,
): (y: number, z: number) => InRow | 'all' | null {
  const apart = condition.kind === 'alike' ? null : sumOf(condition.term, grid)
  if (condition.kind === 'alike' || !apart) {
    const test = conditionTest(block, condition, ran)
    return (y, z) => (x) => test(x, y, z)
  }
  const [xs, ys, zs] = apart.along
  const own = xs[block[0]]! + ys[block[1]]! + zs[block[2]]!,
    rest = (y: number, z: number): number => ys[y]! + zs[z]! - own
  if (condition.kind === 'inside') {
    const { low, high } = ran.seen(condition.site.index),
      bounds = ran.bounds(condition.site.index),
      [least, most] = apart.ends
    if (low > high) return () => 'all' // no lane was active
    return (y, z) => {
      const by = rest(y, z)
      if (low + by + least >= bounds.low && high + by + most <= bounds.high) return 'all'
      if (low + by + most < bounds.low || high + by + least > bounds.high) return null
      return (x) => low + by + xs[x]! >= bounds.low && high + by + xs[x]! <= bounds.high
    }
  }
  const { modulo } = condition
  if (modulo === null) return (y, z) => (x) => xs[x]! + rest(y, z) === 0
  const byRemainder = new Map<number, InRow>()
  return (y, z) => {
    const remainder = rest(y, z) % modulo,
      test = byRemainder.get(remainder) ?? remembered(xs.length, (x) => (xs[x]! + remainder) % modulo === 0)
    byRemainder.set(remainder, test)
    return test
  }
}

/** A term as a sum of one number for each axis. */
interface Sum {
  readonly along: readonly [Float64Array, Float64Array, Float64Array]
  /** The least and the greatest number along x. */
  readonly ends: readonly [number, number]
}

/** By term, each of which belongs to one grid. */
const sums = new WeakMap<BlockTerm, Sum | null>()

/** Null where a term is no such sum, or wraps. */
function sumOf(term: BlockTerm, grid: Dim3): Sum | null {
  const known = sums.get(term)
  if (known !== undefined) return known
  const made = term.parts && tabled(term.parts, grid)
  sums.set(term, made)
  return made
}

function tabled(parts: readonly BlockTerm[], grid: Dim3): Sum | null {
  const of = (axis: 0 | 1 | 2): Float64Array => {
    const own = parts.filter((p) => p.axes === 1 << axis)
    const at = (n: number): readonly [number, number, number] => [
      axis === 0 ? n : 0,
      axis === 1 ? n : 0,
      axis === 2 ? n : 0,
    ]
    return Float64Array.from({ length: grid[axis] }, (_, n) => own.reduce((sum, p) => sum + p.at(...at(n)), 0))
  }
  const along = [of(0), of(1), of(2)] as const
  const largest = along.reduce((sum, list) => sum + list.reduce((m, v) => Math.max(m, Math.abs(v)), 0), 0)
  if (!(largest < wraps)) return null // NaN neither
  const ends = [along[0].reduce((a, b) => Math.min(a, b)), along[0].reduce((a, b) => Math.max(a, b))] as const
  return { along, ends }
}

function conditionTest(block: Dim3, condition: Condition, ran: Ran): Test {
  const by = (term: BlockTerm): ((x: number, y: number, z: number) => number) => {
    const own = term.at(...block)
    return (x, y, z) => term.at(x, y, z) - own
  }
  switch (condition.kind) {
    case 'same': {
      const { modulo } = condition,
        difference = by(condition.term)
      return modulo === null
        ? (x, y, z) => difference(x, y, z) === 0
        : (x, y, z) => Math.abs(difference(x, y, z) % modulo) === 0
    }
    case 'inside': {
      const { low, high } = ran.seen(condition.site.index),
        bounds = ran.bounds(condition.site.index),
        difference = by(condition.term)
      if (low > high) return () => true // no lane was active
      return (x, y, z) => {
        const d = difference(x, y, z)
        return low + d >= bounds.low && high + d <= bounds.high
      }
    }
    case 'alike':
      return alikeTest(condition, ran.margins(condition.decision.index), by)
  }
}

function alikeTest(
  { decision, a, b, wide }: Extract<Condition, { kind: 'alike' }>,
  m: Margins,
  by: (term: BlockTerm) => (x: number, y: number, z: number) => number,
): Test {
  const [first, second] = [by(a), by(b)],
    wider = wide && by(wide)
  const isUnsigned = decision.type === 'u32' || decision.type === 'u64'
  return (x, y, z) => {
    const da = first(x, y, z)
    const db = decision.kind === 'sign' ? 0 : second(x, y, z)
    if (da === 0 && db === 0) return true
    // NaN fails here. Differences of two numbers must not wrap either.
    if (!(2 * (m.magnitude + Math.max(Math.abs(da), Math.abs(db))) < wraps)) return false
    if (wider && wider(x, y, z) !== da) return false
    const d = da - db
    if (!keeps(m.below, m.above, d)) return false
    if (decision.kind === 'equal') return keeps(m.belowToo, m.aboveToo, -d)
    return decision.kind !== 'less' || !isUnsigned || keeps(m.belowToo, m.aboveToo, da)
  }
}

/** Whether numbers up to `below`, which is negative, and from `above` on keep their signs when moved by d. */
const keeps = (below: number, above: number, d: number): boolean => below + d < 0 && above + d >= 0
