// In: a program. Out: the same in single precision: every f64 array, scalar, temporary and expression becomes f32. The
// one idea: the user asked for it (`--precision f32`); nothing else ever narrows a type. What is measured against the
// result must be this program, not the first one.
import { someExprOrExtentIn } from './loop-tree.ts'
import { fail, type Span } from '../../base/index.ts'
import type { ArrayDecl, Expr, Program } from './loop.ts'
import { mapStmts } from './rewrite.ts'
import { isWideInteger, type ScalarType } from '../types.ts'

/** The first parameter or temporary of type f64, or undefined when the program has none. */
export function doubleIn(p: Program): { readonly name: string; readonly at?: Span } | undefined {
  const declared: ArrayDecl[] = []
  mapStmts(
    p.body,
    (e) => e,
    (s) => {
      if (s.kind === 'declare') declared.push(s.array)
      return [s]
    },
  )
  return (
    [...p.arrays, ...p.scalars, ...declared].find((x) => x.type === 'f64') ??
    (hasDouble(p) ? { name: p.name, ...(p.at && { at: p.at }) } : undefined)
  )
}

/** The first parameter, temporary or statement with integers of 64 bits, or undefined when the program has none. */
export function wideIn(p: Program): { readonly name: string; readonly at?: Span } | undefined {
  const found: { readonly name: string; readonly at?: Span }[] = []
  let inside = false
  mapStmts(
    p.body,
    (e) => {
      inside ||= isWideInteger(e.type)
      return e
    },
    (s) => {
      if (s.kind === 'declare' && isWideInteger(s.array.type)) found.push(s.array)
      else if (inside) found.push({ name: s.kind === 'store' ? s.array : p.name, ...(s.at && { at: s.at }) })
      inside = false
      return [s]
    },
  )
  return [...p.arrays, ...p.scalars].find((x) => isWideInteger(x.type)) ?? found[0]
}

const hasDouble = (p: Program): boolean => someExprOrExtentIn(p.body, (e) => e.type === 'f64')

/**
 * The program in single precision. Throws a `DiagnosticError` for a constant that f32 cannot hold. Returns `p` itself
 * when it has no f64.
 */
export function toSingle(p: Program): Program {
  if (!doubleIn(p)) return p
  return {
    ...p,
    ...(p.otherwise && { otherwise: toSingle(p.otherwise) }),
    arrays: p.arrays.map(narrowArray),
    scalars: p.scalars.map((s) => ({ ...s, type: narrow(s.type) })),
    body: mapStmts(
      p.body,
      (e) => narrowExpr(e, p),
      (s) => [s.kind === 'declare' ? { ...s, array: narrowArray(s.array) } : s],
    ),
  }
}

const narrow = (t: ScalarType): ScalarType => (t === 'f64' ? 'f32' : t)
const narrowArray = (a: ArrayDecl): ArrayDecl => (a.type === 'f64' ? { ...a, type: 'f32' } : a)

/** One node whose parts are narrow already. */
function narrowExpr(e: Expr, p: Program): Expr {
  // a conversion has one argument
  if (e.kind === 'op' && e.op === 'convert' && narrow(e.type) === 'f32' && e.args[0]!.type === 'f32') return e.args[0]!
  if (e.type !== 'f64') return e
  if (e.kind === 'const') return { ...e, type: 'f32', value: single(Number(e.value), p) }
  return { ...e, type: 'f32' } as Expr // loop variables and sizes are i32, so never here
}

function single(value: number, p: Program): number {
  const rounded = Math.fround(value)
  if (Number.isFinite(value) && !Number.isFinite(rounded))
    fail(
      'precision.range',
      `the constant ${value} does not fit single precision`,
      p.at,
      'keep double precision with --target cuda, or scale the computation',
    )
  return rounded
}
