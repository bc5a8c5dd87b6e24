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

/**
 * Moves those of a list that are alike to its front, in their order; how many they are. The list holds `count` numbers
 * of blocks of a row, whose first has the number `begin`.
 */
export type Filter = (list: Uint32Array, count: number, begin: number) => number

/** What tells which blocks of a row count as the one that ran; null: none of them does. */
export type Alike = (y: number, z: number) => readonly Filter[] | null

/** Values that 32 bits hold, signed, end below this. */
const wraps = 2 ** 31

/** The test that says which blocks of the grid count as `block`, which ran. */
export function testOf(block: Dim3, grid: Dim3, ran: Ran): Alike {
  const conditions = ran.conditions ?? []
  const of = (axes: number): readonly Condition[] => conditions.filter((c) => axesOf(c) === axes)
  const [y, z] = ([1, 2] as const).map((axis) => {
    const passes = all(of(1 << axis).map((c) => conditionTest(block, c, ran)))
    return remembered(grid[axis], (n) => (axis === 1 ? passes(block[0], n, block[2]) : passes(block[0], block[1], n)))
  })
  const alongX = of(1).map((c) => rowFilter(block, grid, c, ran)(block[1], block[2]))
  if (alongX.includes(null)) return () => null
  const inRow = alongX.filter((f) => f !== 'all' && f !== null),
    inRows = grid[1] * grid[2] === 1 || inRow.length === 0 ? inRow : [asMask(inRow, grid[0])]
  const others = conditions.filter(isOfSeveralAxes).map((c) => rowFilter(block, grid, c, ran))
  return (j, k) => {
    if (!y!(j) || !z!(k)) return null
    const filters = [...inRows]
    for (const other of others) {
      const filter = other(j, k)
      if (filter === null) return null
      if (filter !== 'all') filters.push(filter)
    }
    return filters
  }
}

/** Filters whose answers are the same in all rows, asked once for each of so many places. */
function asMask(filters: readonly Filter[], count: number): Filter {
  let mask: Uint8Array | undefined
  const made = (): Uint8Array => {
    const list = counted(count),
      passing = filters.reduce((left, filter) => filter(list, left, 0), count),
      all = new Uint8Array(count)
    for (let i = 0; i < passing; i++) all[list[i]!] = 1
    return all
  }
  return (list, length, begin) => {
    mask ??= made()
    let kept = 0
    for (let i = 0; i < length; i++) if (mask[list[i]! - begin] === 1) list[kept++] = list[i]!
    return kept
  }
}

/** 0 … count − 1. */
export function counted(count: number): Uint32Array<ArrayBuffer> {
  const list = new Uint32Array(count)
  for (let i = 0; i < count; i++) list[i] = i
  return list
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

/** A condition, asked of a row: 'all' blocks of it, none (null), or each. */
function rowFilter(
  block: Dim3,
  grid: Dim3,
  condition: Condition,
  ran: Ran,
): (y: number, z: number) => Filter | 'all' | null {
  const asked = (): ((y: number, z: number) => Filter) => {
    const test = conditionTest(block, condition, ran)
    return (y, z) => tested((x) => test(x, y, z))
  }
  if (condition.kind === 'alike') return alikeFilter(block, grid, condition, ran) ?? asked()
  const moved = movedBy(condition.term, block, grid)
  if (!moved) return asked()
  const { along, by } = moved
  if (condition.kind === 'same') {
    const { modulo } = condition
    if (modulo === null) return (y, z) => between(along, -by(y, z), -by(y, z))
    return (y, z) => multiples(along, by(y, z), modulo)
  }
  const { low, high } = ran.seen(condition.site.index),
    bounds = ran.bounds(condition.site.index)
  if (low > high) return () => 'all' // no lane was active
  return (y, z) => {
    const [least, most] = [bounds.low - low - by(y, z), bounds.high - high - by(y, z)]
    if (along.least >= least && along.most <= most) return 'all'
    if (along.most < least || along.least > most) return null
    return between(along, least, most)
  }
}

/** Those whose number along x is in a range. */
function between({ slope, offset, more }: Along, least: number, most: number): Filter {
  return (list, count, begin) => {
    let kept = 0
    for (let i = 0; i < count; i++) {
      const n = list[i]!,
        x = n - begin,
        v = slope * x + offset + (more ? more[x]! : 0)
      if (v >= least && v <= most) list[kept++] = n
    }
    return kept
  }
}

/** Those whose number along x, and `by`, add up to a multiple. */
function multiples({ slope, offset, more }: Along, by: number, of: number): Filter {
  const mask = of - 1,
    isPower = (of & mask) === 0 // whatever a sum is, its low bits are those of 32
  return (list, count, begin) => {
    let kept = 0
    for (let i = 0; i < count; i++) {
      const n = list[i]!,
        x = n - begin,
        v = slope * x + offset + (more ? more[x]! : 0) + by
      if (isPower ? (v & mask) === 0 : v % of === 0) list[kept++] = n
    }
    return kept
  }
}

function tested(test: (x: number) => boolean): Filter {
  return (list, count, begin) => {
    let kept = 0
    for (let i = 0; i < count; i++) if (test(list[i]! - begin)) list[kept++] = list[i]!
    return kept
  }
}

/** By how much a term differs from its value in the block that ran: by what it is along x, and by the row. */
interface Moved {
  readonly along: Along
  readonly by: (y: number, z: number) => number
}

function movedBy(term: BlockTerm, block: Dim3, grid: Dim3): Moved | null {
  const sum = sumOf(term, grid)
  if (!sum) return null
  const [xs, ys, zs] = sum,
    own = valueAt(xs, block[0]) + valueAt(ys, block[1]) + valueAt(zs, block[2])
  return { along: xs, by: (y, z) => valueAt(ys, y) + valueAt(zs, z) - own }
}

function alikeFilter(
  block: Dim3,
  grid: Dim3,
  condition: Extract<Condition, { kind: 'alike' }>,
  ran: Ran,
): ((y: number, z: number) => Filter) | null {
  const [a, b, wide] = [condition.a, condition.b, condition.wide ?? condition.a].map((t) => movedBy(t, block, grid))
  if (!a || !b || !wide) return null
  const isAlike = alikeJudge(condition, ran.margins(condition.decision.index))
  const isAlone = (other: BlockTerm): boolean => other.axes === 0 && !condition.wide
  if (isAlone(condition.b)) return withinReach(a, (d) => isAlike(d, 0, d))
  if (isAlone(condition.a)) return withinReach(b, (d) => isAlike(0, d, 0))
  return (y, z) => {
    const [byA, byB, byWide] = [a.by(y, z), b.by(y, z), wide.by(y, z)]
    return tested((x) => isAlike(valueAt(a.along, x) + byA, valueAt(b.along, x) + byB, valueAt(wide.along, x) + byWide))
  }
}

/** Those of which one side alone moves, as far as it may. */
function withinReach({ along, by }: Moved, isAlike: (d: number) => boolean): (y: number, z: number) => Filter {
  const most = farthest(isAlike),
    least = -farthest((d) => isAlike(-d))
  return (y, z) => between(along, least - by(y, z), most - by(y, z))
}

/** How far a side may move: what it may be moved by is a range around 0, since every bound on it is of one side. */
function farthest(isAlike: (by: number) => boolean): number {
  let [reached, beyond] = [0, 2 * wraps]
  while (reached + 1 < beyond) {
    const middle = Math.floor((reached + beyond) / 2)
    if (isAlike(middle)) reached = middle
    else beyond = middle
  }
  return reached
}

/** Numbers along an axis: slope × index + offset, and what no line gives. */
interface Along {
  readonly slope: number
  readonly offset: number
  readonly more: Int32Array | null
  readonly least: number
  readonly most: number
}

const valueAt = ({ slope, offset, more }: Along, n: number): number => slope * n + offset + (more ? more[n]! : 0)

/** A term as a sum of one number for each axis. */
type Sum = readonly [Along, Along, Along]

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
  const [x, y, z] = [0, 1, 2].map((axis) =>
    alongAxis(
      parts.filter((p) => p.axes === 1 << axis),
      grid[axis]!,
    ),
  )
  if (!x || !y || !z) return null
  const largest = [x, y, z].reduce((sum, { least, most }) => sum + Math.max(Math.abs(least), Math.abs(most)), 0)
  return largest < wraps ? [x, y, z] : null
}

/** The sum of terms of one axis; null where one wraps or is not known. */
function alongAxis(parts: readonly BlockTerm[], count: number): Along | null {
  const isLine = ({ line }: BlockTerm): boolean =>
    line !== null && Math.max(Math.abs(line.offset), Math.abs(line.slope * (count - 1) + line.offset)) < wraps
  const lines = parts.filter(isLine),
    others = parts.filter((p) => !isLine(p))
  const slope = lines.reduce((sum, { line }) => sum + line!.slope, 0), // it has one
    offset = lines.reduce((sum, { line }) => sum + line!.offset, 0),
    last = slope * (count - 1) + offset
  if (others.length === 0)
    return { slope, offset, more: null, least: Math.min(offset, last), most: Math.max(offset, last) }
  const [first, ...rest] = others.map((p) => p.values(count))
  if (!first || rest.includes(null)) return null
  const more = rest.length === 0 ? first : sumOfLists(first, rest as readonly Int32Array[]) // none is null
  if (!more) return null
  let least = Infinity,
    most = -Infinity
  for (let n = 0; n < count; n++) {
    const value = more[n]!,
      sum = slope * n + offset + value
    if (value === -wraps) return null // its negative is more than 32 bits hold
    if (sum < least) least = sum
    if (sum > most) most = sum
  }
  return { slope, offset, more, least, most }
}

/** Null where a sum is more than 32 bits hold. */
function sumOfLists(first: Int32Array, rest: readonly Int32Array[]): Int32Array | null {
  const sums = Float64Array.from(first)
  for (const list of rest) for (let n = 0; n < sums.length; n++) sums[n]! += list[n]!
  return sums.every((x) => Math.abs(x) < wraps) ? Int32Array.from(sums) : null
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
  condition: Extract<Condition, { kind: 'alike' }>,
  m: Margins,
  by: (term: BlockTerm) => (x: number, y: number, z: number) => number,
): Test {
  const [first, second, wider] = [by(condition.a), by(condition.b), by(condition.wide ?? condition.a)],
    isAlike = alikeJudge(condition, m)
  return (x, y, z) => isAlike(first(x, y, z), second(x, y, z), wider(x, y, z))
}

/** Whether a decision falls alike where its sides change by da and db, and the first without wrapping by `wide`. */
function alikeJudge(
  { decision }: Extract<Condition, { kind: 'alike' }>,
  m: Margins,
): (da: number, db: number, wide: number) => boolean {
  const { kind } = decision,
    isUnsigned = decision.type === 'u32' || decision.type === 'u64'
  return (da, second, wide) => {
    const db = kind === 'sign' ? 0 : second
    if (da === 0 && db === 0) return true
    // NaN fails here. Differences of two numbers must not wrap either.
    const most = Math.max(m.a.most + Math.max(0, da), m.b.most + Math.max(0, db)),
      least = Math.min(m.a.least + Math.min(0, da), m.b.least + Math.min(0, db))
    if (!(most < wraps && least >= -wraps && most - least < wraps)) return false
    if (wide !== da) return false
    const d = da - db
    if (!keeps(m.below, m.above, d)) return false
    if (kind === 'equal') return keeps(m.belowToo, m.aboveToo, -d)
    return kind !== 'less' || !isUnsigned || keeps(m.belowToo, m.aboveToo, da)
  }
}

/** Whether numbers up to `below`, which is negative, and from `above` on keep their signs when moved by d. */
const keeps = (below: number, above: number, d: number): boolean => below + d < 0 && above + d >= 0
