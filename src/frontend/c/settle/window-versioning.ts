// In: a function whose windows have sides, strides, dilations and pads that its caller gives, and a program of it. Out:
// the program for the planned ones, whose windows are constant, with the first one for all others. The one idea: value
// specialisation behind a test (procedure cloning by constants: Cooper, Hall and Kennedy, 1993): windows that are known
// are unrolled, shared by neighbours and kept in registers, and a convolution is a product of matrices; what the caller
// gives is compared with the plan before anything is launched. What else the function does is the same in both.
import {
  conditionsOf,
  int,
  op,
  sizeOf,
  withConditions,
  type ArrayDecl,
  type Expr,
  type Program,
  type Size,
} from '../../../ir/index.ts'
import { beginAlike } from './sizes/lower-bounds.ts'
import { declares, mapC, mapParts, numberOf } from '../c-to-c/c-rewriting.ts'
import type { CExpr, CFunction, CStmt } from '../text/syntax.ts'
import { wider } from './delinearization.ts'

/** `f` with these numbers for parameters, which it then has no more; undefined where a local has the name of one. */
export function withParameters(f: CFunction, values: ReadonlyMap<string, number>): CFunction | undefined {
  const given = new Map(f.parameters.flatMap((p) => (values.has(p.name) ? [[p.name, p] as const] : [])))
  if (given.size < values.size || declares(f.body, (name) => given.has(name))) return undefined
  const known = (e: CExpr): CExpr => {
    const p = e.kind === 'name' ? given.get(e.name) : undefined
    if (!p) return e
    const number = numberOf(values.get(p.name)!, e.at) // it was asked for
    return p.type === 'i32' ? number : { kind: 'cast', type: p.type, arg: number, at: e.at }
  }
  const expr = (e: CExpr): CExpr => mapC(e, known)
  const statement = (s: CStmt): CStmt => mapParts(s, expr, statement)
  return {
    ...f,
    parameters: f.parameters
      .filter((p) => !given.has(p.name))
      .map((p) => ({ ...p, extents: p.extents.map((e) => e && expr(e)) })),
    body: { ...f.body, body: f.body.body.map(statement) },
  }
}

/**
 * What the two mean together: `planned` is `general` where sizes have these values. Sizes may be what they may be in
 * `general`; where `planned` takes less, that is a condition, too.
 */
export function bothWindows(
  planned: Program,
  general: Program,
  values: ReadonlyMap<string, number>,
): Program | undefined {
  const own = new Map(planned.sizes.map((s) => [s.name, s])),
    more = planned.sizes.filter((s) => !general.sizes.some((x) => x.name === s.name))
  if (more.length > 0 || [...values.keys()].some((name) => own.has(name)) || !beginAlike(planned, general))
    return undefined
  const conditions = [
    ...[...values].map(([name, value]) => op('eq', [sizeOf(name), int(value)])),
    ...general.sizes.flatMap((s) => narrowed(s, own.get(s.name))),
    ...conditionsOf(planned),
  ]
  const sizes = general.sizes.map(({ where: _, ...s }): Size => s)
  const arrays = planned.arrays.map((a) => withRole(a, general))
  const both = withConditions({ ...planned, sizes, arrays }, conditions)
  return { ...both, otherwise: { ...general, arrays: general.arrays.map((a) => withRole(a, planned)) } }
}

const withRole = (a: ArrayDecl, beside: Program): ArrayDecl => ({
  ...a,
  role: wider(
    a,
    beside.arrays.find((x) => x.name === a.name),
  ),
})

/** What must hold of a size of the general program for the planned one, which knows it as `own`. */
function narrowed(s: Size, own: Size | undefined): readonly Expr[] {
  const least = own ? Math.max(own.min, own.counts ? 1 : own.min) : s.min
  return least > (s.counts ? 1 : s.min) ? [op('ge', [sizeOf(s.name), int(least)])] : []
}
