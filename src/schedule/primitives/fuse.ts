// fuse: two perfectly nested loops become one that counts through both.
//
//   for i in 0 .. n { for j in 0 .. 8 { D[i, j] = x[i] } }
// → for ij in 0 .. n * 8 { D[ij / 8, ij % 8] = x[ij / 8] }
//
// Side conditions: both count from 0 in steps of 1; the inner extent is a positive constant; the inner loop is all of
// the outer one's body.
import { fail } from '../../base/index.ts'
import {
  div,
  int,
  literal,
  loop,
  loopVar,
  mod,
  mul,
  type Program,
  constantExtent,
  namesOf,
  replaceLoops,
  substituteStmt,
} from '../../ir/index.ts'

export function fuse(
  program: Program,
  { outer, inner, as }: { readonly outer: string; readonly inner: string; readonly as: string },
): Program {
  if (namesOf(program).has(as) && as !== outer && as !== inner) fail('schedule.fuse', `the name '${as}' is taken`)
  return replaceLoops(program, outer, (o) => {
    const i = o.body.length === 1 ? o.body[0] : undefined
    if (i?.kind !== 'loop' || i.name !== inner)
      return fail('schedule.fuse', `'${inner}' is not the whole body of '${outer}'`)
    const extent = constantExtent(i)
    const plain = [o, i].every((l) => literal(l.lower) === 0 && l.step === 1)
    if (!plain || extent === undefined || extent < 1)
      return fail(
        'schedule.fuse',
        `'${outer}' and '${inner}' must count from 0 in steps of 1, '${inner}' to a positive constant`,
      )
    const by = new Map([
      [outer, div(loopVar(as), extent)],
      [inner, mod(loopVar(as), extent)],
    ])
    return [
      loop(
        as,
        mul(o.upper, int(extent)),
        i.body.map((s) => substituteStmt(s, by)),
        o.at ? { at: o.at } : {},
      ),
    ]
  })
}
