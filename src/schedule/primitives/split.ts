// split: one loop becomes two. The iterations and their order stay the same.
//
//   for i in 0 .. n { y[i] = x[i] }
// → for io in 0 .. (n + 3) / 4 { for ii in 0 .. 4 {
//     if io * 4 + ii < n { y[io * 4 + ii] = x[io * 4 + ii] } } }
//
// Side condition: step 1; with `tail: 'exact'` constant bounds that the factor divides.
import { fail } from '../../base/index.ts'
import {
  add,
  ceilDiv,
  div,
  int,
  loop,
  loopVar,
  lt,
  mul,
  sub,
  type LoopStmt,
  type Program,
  constantExtent,
  guardInside,
  namesOf,
  replaceLoops,
  substituteStmt,
} from '../../ir/index.ts'

export interface Split {
  readonly loop: string
  /** Iterations of the inner loop, ≥ 1. */
  readonly factor: number
  readonly outer: string
  readonly inner: string
  /** `guard` (default): an `if` keeps out iterations past the end; it stands in the innermost
   * perfectly nested body, so that nests stay perfect. `exact`: the factor must divide a constant extent. `divides`:
   * the caller sees to it that the result is only run where the factor divides the extent.
   */
  readonly tail?: 'guard' | 'exact' | 'divides'
}

/** Splits every loop called `loop`. */
export function split(program: Program, { loop: name, factor, outer, inner, tail = 'guard' }: Split): Program {
  if (!Number.isInteger(factor) || factor < 1)
    fail('schedule.split', `cannot split '${name}' by ${factor}: the factor must be a positive integer`)
  const names = namesOf(program)
  for (const n of [outer, inner])
    if (n !== name && names.has(n)) fail('schedule.split', `cannot split '${name}': the name '${n}' is taken`)
  return replaceLoops(program, name, (l) => {
    if (l.step !== 1) fail('schedule.split', `cannot split '${name}': its step is ${l.step}, not 1`)
    const extent = constantExtent(l)
    const exact = extent !== undefined && extent % factor === 0
    if (tail === 'exact' && !exact)
      fail(
        'schedule.split',
        `cannot split '${name}' exactly: ${factor} does not divide ${extent ?? 'an extent known only at run time'}`,
      )
    const value = add(l.lower, add(mul(loopVar(outer), int(factor)), loopVar(inner)))
    const body: readonly LoopStmt[] = l.body.map((s) => substituteStmt(s, new Map([[name, value]])))
    const whole = exact || tail === 'divides'
    const guarded = whole ? body : guardInside(lt(value, l.upper), body)
    const count = whole ? div(sub(l.upper, l.lower), factor) : ceilDiv(sub(l.upper, l.lower), factor)
    return [loop(outer, count, [loop(inner, int(factor), guarded)], l.at ? { at: l.at } : {})]
  })
}
