// In: a kernel. Out: an estimate of the 32-bit registers that a thread needs at once, from live ranges. The one idea: a
// value is live from its first definition to its last use; what a loop uses from outside, or carries round, lives as
// long as the loop. What is computed before a loop and used only behind it is computed there, as compilers do, and
// words of bytes are taken apart where these are first used. They reorder more than that, so this is an estimate and
// every report says so until a compiler's number is there.
import { bytesOf, definesOf, usesOf, type Kernel, type Reg, type Stmt } from '../ir/index.ts'

/** `again`: it is a place that can be computed anew from others wherever it is used. */
interface Range {
  from: number
  to: number
  readonly words: number
  again: boolean
  crosses: boolean
  /** Statements that define or use it. */
  readonly touches: Stmt[]
}

/** Where a value is needed: positions in program order, 32-bit registers, and the statements that touch it. */
export type LiveRange = Readonly<Pick<Range, 'from' | 'to' | 'words'>> & { readonly touches: readonly Stmt[] }

/**
 * Where the walk is, every range that was touched so far in order, and words that were loaded, by the registers of
 * their elements.
 */
interface Clock {
  position: number
  readonly touched: Range[]
  readonly packed: Map<number, Range>
  statement?: Stmt
  /** The statement at each position. */
  readonly statements: (Stmt | undefined)[]
}

const newClock = (): Clock => ({ position: 0, touched: [], packed: new Map(), statements: [] })

/**
 * Registers for addresses, the stack pointer and temporaries that every compiled kernel has; seen in `ptxas -v` of
 * small kernels.
 */
const overhead = 8

const estimates = new WeakMap<Kernel, number>()

/** Estimated 32-bit registers per thread, at least 16 and not capped. */
export function estimateRegisters(kernel: Kernel): number {
  const known = estimates.get(kernel) ?? estimated(kernel)
  estimates.set(kernel, known)
  return known
}

const fewest = new WeakMap<Kernel, number>()

/** The same where registers are short: compilers compute places again rather than to keep them through a long loop. */
export function fewestRegisters(kernel: Kernel): number {
  const known = fewest.get(kernel) ?? estimated(kernel, isPlace)
  fewest.set(kernel, known)
  return known
}

/** Whether it is computed again rather than kept. */
const isPlace = (r: Range): boolean => r.again && r.crosses

/** The live ranges of a kernel's values. */
export function liveRanges(kernel: Kernel): readonly LiveRange[] {
  return rangesOf(kernel)
}

function rangesOf(kernel: Kernel, clock = newClock()): readonly Range[] {
  const ranges = new Map<number, Range>()
  walk(sunk(kernel.body), clock, ranges)
  return [...ranges.values(), ...new Set(clock.packed.values())]
}

/** A statement, and the registers that a thread needs at it where they are short, as `fewestRegisters` counts them. */
export interface Pressure {
  readonly statement: Stmt
  readonly registers: number
}

/** What is needed at each statement of a kernel, those inside of others among them. */
export function pressuresOf(kernel: Kernel): readonly Pressure[] {
  const clock = newClock(),
    live = liveAt(rangesOf(kernel, clock).filter((r) => !isPlace(r))),
    fixed = fixedRegisters(kernel)
  return clock.statements.flatMap((statement, at) =>
    statement ? [{ statement, registers: (live[at] ?? 0) + fixed }] : [],
  )
}

/** What a kernel has beside its values: pointers, and registers of every compiled kernel. */
export const fixedRegisters = (kernel: Kernel): number =>
  2 * kernel.resources.filter((r) => r.space === 'global').length + overhead

const estimated = (kernel: Kernel, free: (r: Range) => boolean = () => false): number =>
  Math.max(
    16,
    liveAt(rangesOf(kernel).filter((r) => !free(r))).reduce((a, b) => Math.max(a, b), 0) + fixedRegisters(kernel),
  )

/** Words that are live at each position in program order. */
export function liveAt(ranges: readonly LiveRange[]): Int32Array {
  const live = new Int32Array(ranges.reduce((end, r) => Math.max(end, r.to), 0) + 2)
  for (const { from, to, words } of ranges) {
    live[from]! += words
    live[to + 1]! -= words
  }
  for (let at = 1; at < live.length; at++) live[at]! += live[at - 1]!
  return live
}

const isWhole = ({ type }: Reg): boolean => type === 'i32' || type === 'u32' || type === 'bool'

/**
 * A statement while others move: the registers that it uses, and of a branch those of its condition and of either side.
 */
interface Entry {
  readonly stmt: Stmt
  readonly uses: Set<number>
  readonly sides: readonly [Set<number>, Set<number>] | null
  /** What goes in front of either side, the last one first. */
  readonly front: readonly [Stmt[], Stmt[]]
  /** Its place in the list: those of what stands further back in the program are less. */
  place: number
}

function entryOf(stmt: Stmt, place: number): Entry {
  const sides = stmt.kind === 'if' ? ([usedInAll(stmt.then), usedInAll(stmt.else)] as const) : null
  const uses = sides ? new Set([...sides[0], ...sides[1]]) : usedIn(stmt)
  for (const o of usesOf(stmt)) if (o.kind === 'reg') uses.add(o.id)
  return { stmt, uses, sides, front: [[], []], place }
}

/**
 * Operations on places and conditions that only statements behind a loop or in one side of a branch use, moved there;
 * last ones first, so that what they use follows them.
 */
function sunk(body: readonly Stmt[]): readonly Stmt[] {
  const out: Entry[] = [] // backwards
  const users = new Map<number, number>(), // how many entries use a register
    firsts = new Map<number, Entry>() // the one of them that comes first in the program
  let loop: Entry | undefined // the first in the program
  const uses = (entry: Entry, id: number): void => {
    users.set(id, (users.get(id) ?? 0) + 1)
    if ((firsts.get(id)?.place ?? -1) < entry.place) firsts.set(id, entry)
  }
  for (let i = body.length - 1; i >= 0; i--) {
    const s = body[i]!,
      count = s.kind === 'op' && isWhole(s.dst) ? (users.get(s.dst.id) ?? 0) : 0,
      first = s.kind === 'op' && count > 0 ? firsts.get(s.dst.id) : undefined
    const branch = count === 1 ? first : undefined,
      side = branch && s.kind === 'op' ? onlySide(branch, s.dst) : undefined
    if (branch && side !== undefined) {
      branch.front[side].push(s)
      for (const id of usedIn(s)) {
        branch.sides?.[side].add(id)
        if (!branch.uses.has(id)) uses(branch, id)
        branch.uses.add(id)
      }
      continue
    }
    const at = first && loop && first.place < loop.place ? out.indexOf(first) + 1 : out.length,
      entry = entryOf(s, placeAt(out, at))
    out.splice(at, 0, entry)
    if (s.kind === 'loop') loop = entry
    for (const id of entry.uses) uses(entry, id)
  }
  return out
    .reverse()
    .map(({ stmt: s, front }) =>
      s.kind === 'if'
        ? { ...s, then: sunk([...front[0].reverse(), ...s.then]), else: sunk([...front[1].reverse(), ...s.else]) }
        : s,
    )
}

/** A place for what is put into `out` at an index: between those beside it, which move apart where there is no room. */
function placeAt(out: readonly Entry[], at: number): number {
  const low = out[at - 1]?.place ?? -1,
    high = out[at]?.place ?? low + 2,
    middle = (low + high) / 2
  if (low < middle && middle < high) return middle
  out.forEach((entry, i) => (entry.place = i))
  return at - 1 / 2
}

/** The one side of a branch that uses a register, where its condition does not. */
function onlySide({ stmt, sides }: Entry, r: Reg): 0 | 1 | undefined {
  if (!sides || usesOf(stmt).some((o) => o.kind === 'reg' && o.id === r.id)) return undefined
  const [then, other] = [sides[0].has(r.id), sides[1].has(r.id)]
  return then === other ? undefined : then ? 0 : 1
}

function usedInAll(list: readonly Stmt[]): Set<number> {
  const into = new Set<number>()
  for (const s of list) usedIn(s, into)
  return into
}

function usedIn(s: Stmt, into = new Set<number>()): Set<number> {
  for (const o of usesOf(s)) if (o.kind === 'reg') into.add(o.id)
  for (const b of s.kind === 'if' ? [s.then, s.else] : s.kind === 'loop' ? [s.body, s.continuing] : [])
    for (const x of b) usedIn(x, into)
  return into
}

function walk(body: readonly Stmt[], clock: Clock, ranges: Map<number, Range>): void {
  for (const s of body) {
    clock.position++
    const at = clock.position
    clock.statements[at] = s
    clock.statement = s
    for (const o of usesOf(s)) if (o.kind === 'reg') extend(ranges, o, at, clock)
    if (s.kind === 'load' && s.dst.length > 1 && bytesOf[s.type] < 4 && s.dst.every((r) => !ranges.has(r.id)))
      packed(s, clock)
    else for (const r of definesOf(s)) extend(ranges, r, at, clock, s.kind === 'op' && isWhole(r) ? 'place' : 'value')
    if (s.kind === 'if') {
      walk(s.then, clock, ranges)
      walk(s.else, clock, ranges)
    }
    if (s.kind === 'loop') loop(s, clock, ranges)
  }
}

function loop(s: Extract<Stmt, { kind: 'loop' }>, clock: Clock, ranges: Map<number, Range>): void {
  const start = clock.position
  const seen = clock.touched.length
  walk(s.body, clock, ranges)
  walk(s.continuing, clock, ranges)
  const end = ++clock.position
  for (const r of clock.touched.slice(seen))
    if (r.from <= start) {
      r.to = end
      r.crosses ||= end - start >= longLoop
    }
}

/**
 * Statements of a loop beside which one more for a place is nothing: those of products have a thousand, and what is
 * beyond the limit is spilled there.
 */
const longLoop = 2000

/** Elements of words: until they are used their words wait. */
function packed(s: Extract<Stmt, { kind: 'load' }>, clock: Clock): void {
  const perWord = 4 / bytesOf[s.type]
  let word: Range | undefined
  s.dst.forEach((r, i) => {
    if (!word || i % perWord === 0)
      word = { from: clock.position, to: clock.position, words: 1, again: false, crosses: false, touches: [] }
    clock.packed.set(r.id, word)
  })
}

function extend(ranges: Map<number, Range>, r: Reg, at: number, clock: Clock, defined?: 'place' | 'value'): void {
  const word = ranges.has(r.id) ? undefined : clock.packed.get(r.id)
  if (word) {
    word.to = at
    if (clock.statement) word.touches.push(clock.statement)
    clock.touched.push(word)
  }
  const known = ranges.get(r.id) ?? {
    from: at,
    to: at,
    words: r.type === 'bool' ? 0 : r.type === 'f64' || r.type === 'i64' || r.type === 'u64' ? 2 : 1,
    again: defined === 'place',
    crosses: false,
    touches: [],
  }
  known.again &&= !defined || !ranges.has(r.id) // nothing else defines it
  known.to = at
  if (clock.statement) known.touches.push(clock.statement)
  ranges.set(r.id, known)
  clock.touched.push(known)
}
