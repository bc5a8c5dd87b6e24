// In: all blocks of a grid, and a way to run one. Out: classes of blocks that count the same, each with the block that
// ran for it. The one idea: run a block, derive what others must share with it, take out all that do, and go on with
// those that are left; so the classes are derived from the kernel and none is guessed. Blocks that contents tell apart
// are left, for the caller to run or to sample.
import type { Dim3 } from '../../ir/index.ts'
import type { Margins } from '../jit/margins.ts'
import type { Condition, Conditions } from './differences.ts'
import type { Term } from './term.ts'

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

/** Whether a block counts as the one that ran: where its row may, and it does itself. */
export interface Alike {
  readonly row: (y: number, z: number) => boolean
  readonly block: Test
}

/** Values that 32 bits hold, signed, end below this. */
const wraps = 2 ** 31

/** The test that says which blocks of the grid count as `block`, which ran. */
export function testOf(block: Dim3, grid: Dim3, ran: Ran): Alike {
  const conditions = ran.conditions ?? []
  const along = [1, 2, 4].map((axis) => conditions.filter((c) => axesOf(c) === axis))
  const [x, y, z] = along.map((list, axis) => {
    const tests = list.map((c) => conditionTest(block, c, ran))
    return remembered(grid[axis]!, (n) => {
      const at = block.map((v, a) => (a === axis ? n : v)) as unknown as [number, number, number] // three of three
      return tests.every((t) => t(...at))
    })
  })
  const others = conditions
    .filter((c) => !along.some((list) => list.includes(c)))
    .map((c) => conditionTest(block, c, ran))
  return {
    row: (j, k) => y!(j) && z!(k),
    block: (i, j, k) => x!(i) && others.every((t) => t(i, j, k)),
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

function conditionTest(block: Dim3, condition: Condition, ran: Ran): Test {
  const by = (term: Term): ((x: number, y: number, z: number) => number) => {
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
  by: (term: Term) => (x: number, y: number, z: number) => number,
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
