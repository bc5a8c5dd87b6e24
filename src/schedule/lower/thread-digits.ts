// What thread loops are to a kernel: digits of the thread rank. In: scheduled statements. Out: how many threads they
// need, which digits they leave out, what they carry across threads. Only questions; nothing is emitted.
import { fail } from '../../base/index.ts'
import {
  literal,
  type ArrayDecl,
  type LoopStmt,
  type Program,
  constantExtent,
  eachStmt,
  someStmt,
} from '../../ir/index.ts'

/** Elements of a declared array with constant extents, padding included. */
export function paddedCount(a: ArrayDecl): number {
  const last = a.shape.length - 1
  return a.shape.reduce(
    (n, e, d) =>
      n *
      ((literal(e) ?? fail('schedule.lower', `the extent of '${a.name}' is not a constant`)) +
        (d === last ? (a.pad ?? 0) : 0)),
    1,
  )
}

/** ⌊rank / stride⌋ mod extent. */
export interface ThreadDigit {
  readonly stride: number
  readonly extent: number
}

/** Threads per block: what the widest phase needs. */
export function blockThreads(program: Program): number {
  let threads = 1
  eachStmt(program.body, (s) => {
    if (s.kind === 'loop' && s.bind.kind === 'thread')
      threads = Math.max(threads, s.bind.stride * (constantExtent(s) ?? 1))
  })
  return threads
}

/** The gaps that `digits` leave in the mixed-radix thread rank of `threads`. */
export function missingDigits(digits: readonly ThreadDigit[], threads: number): readonly ThreadDigit[] {
  const out: ThreadDigit[] = []
  let reached = 1
  for (const d of [...digits].sort((a, b) => a.stride - b.stride)) {
    if (d.stride > reached) out.push({ stride: reached, extent: d.stride / reached })
    reached = Math.max(reached, d.stride * d.extent)
  }
  if (reached < threads) out.push({ stride: reached, extent: Math.ceil(threads / reached) })
  return out
}

/** Whether threads run different iterations of something in it. */
export function hasThreads(x: LoopStmt): boolean {
  return someStmt([x], (s) => s.kind === 'loop' && s.bind.kind === 'thread')
}

/** Whether it writes what other threads can see. */
export function writesMemory(x: LoopStmt, arrays: ReadonlyMap<string, ArrayDecl>): boolean {
  return someStmt([x], (s) => s.kind === 'store' && arrays.get(s.array)?.space !== 'private')
}
