// In: a program and a constant for one of its sizes. Out: the program for that constant, with dead code removed
// (partial evaluation). The one idea: for a size of 0 most loops are empty and most arrays have no elements, and a
// statement that stores into an array without elements never runs, because programs stay inside their arrays. Nothing
// is assumed of the other sizes except their minima.
import { add, int, literal, mul, sub } from './build.ts'
import { sizeDomain } from '../integers/domain.ts'
import { isNonNegative } from '../integers/piecewise-affine.ts'
import { numberOp } from '../interpret/interpret-ops.ts'
import type { ArrayDecl, Expr, LoopStmt, Program, Symbols } from './loop.ts'
import { someStmt, someExprOrExtentIn, someExpr } from './loop-tree.ts'
import { mapExpr, mapStmts } from './rewrite.ts'
import { isFloat } from '../types.ts'

/** `e` with `value` for the size `name`, constants folded. */
export function withSize(e: Expr, name: string, value: number): Expr {
  return mapExpr(e, (x) => (x.kind === 'size' && x.name === name ? int(value) : refolded(x)))
}

/** An operation whose arguments may have become constants. */
function refolded(e: Expr): Expr {
  if (e.kind === 'choose') return e.condition.kind === 'const' ? (e.condition.value ? e.then : e.else) : e
  if (e.kind !== 'op') return e
  const [a, b, c] = e.args
  if (e.op === 'select') return a!.kind === 'const' ? (a!.value ? b! : c!) : e // three arguments
  if (e.op === 'land' || e.op === 'lor') return connected(e)
  if (e.op === 'lnot') return a!.kind === 'const' ? { ...a!, value: a!.value ? 0 : 1 } : e // one argument
  const x = a && literal(a),
    y = b && literal(b)
  if (e.type === 'i32' && a && b && (x !== undefined || y !== undefined)) {
    if (e.op === 'add') return add(a, b)
    if (e.op === 'sub') return sub(a, b)
    if (e.op === 'mul') return mul(a, b)
    if ((e.op === 'div' || e.op === 'rem' || e.op === 'shr' || e.op === 'shl') && x === 0 && y !== 0) return int(0)
    if (e.op === 'div' && y === 1) return a
    if (e.op === 'rem' && y === 1) return int(0)
  }
  return foldable.has(e.op) &&
    a?.type === 'i32' &&
    x !== undefined &&
    y !== undefined &&
    !(y === 0 && divides.has(e.op))
    ? { kind: 'const', type: e.type, value: Number(numberOp(e.op, 'i32')(x, y, 0)) }
    : e
}

const foldable: ReadonlySet<string> = new Set(['div', 'rem', 'min', 'max', 'lt', 'le', 'gt', 'ge', 'eq', 'ne'])
const divides: ReadonlySet<string> = new Set(['div', 'rem'])

/** `&&` or `||` of which one side is known. */
function connected(e: Extract<Expr, { kind: 'op' }>): Expr {
  const [a, b] = e.args as [Expr, Expr], // two arguments
    ends = e.op === 'lor'
  for (const [x, other] of [
    [a, b],
    [b, a],
  ] as const)
    if (x.kind === 'const') return !!x.value === ends ? x : other
  return e
}

/** Whether `e`, a bound or an extent, is at most 0 whatever loop variables and sizes are, from their minima on. */
export function isNothing(e: Expr, p: Symbols): boolean {
  return isNonNegative(sub(int(0), e), sizeDomain(p).constraints)
}

/** `p` where the size `name` is `value`, without loops that are empty and stores that no valid program comes to. */
export function specialized(p: Program, name: string, value: number): Program {
  const f = (e: Expr): Expr => withSize(e, name, value)
  const sizes = p.sizes
    .filter((s) => s.name !== name)
    .map((s) => ({
      ...s,
      ...(s.where && { where: s.where.map(f) }),
      ...(s.kind === 'quotient' && { of: f(s.of) }),
    }))
  const hostVariables = p.hostVariables.map((v) => ({ ...v, ...(v.below && { below: f(v.below) }) }))
  const shaped = (a: ArrayDecl): ArrayDecl => ({ ...a, shape: a.shape.map(f) })
  const arrays = p.arrays.map(shaped),
    without = { sizes, hostVariables }
  const isEmpty = new Set(
    arrays.filter((a) => a.role !== 'temp' && a.shape.some((e) => isNothing(e, without))).map((a) => a.name),
  )
  const body = mapStmts(
    p.body,
    (e) => (e.kind === 'size' && e.name === name ? int(value) : refolded(e)),
    (s) => remaining(s, isEmpty, without),
  )
  return { ...p, sizes, hostVariables, arrays, body }
}

/** What is left of a statement whose parts are specialized. */
function remaining(s: LoopStmt, isEmpty: ReadonlySet<string>, p: Symbols): readonly LoopStmt[] {
  const doesNothing = (body: readonly LoopStmt[]): boolean => body.every((x) => x.kind === 'declare')
  switch (s.kind) {
    case 'declare':
      return [s]
    case 'store':
      return isEmpty.has(s.array) ? [] : [s]
    case 'loop':
      return doesNothing(s.body) || isNothing(sub(s.upper, s.lower), p) ? [] : [s]
    case 'if': {
      if (s.condition.kind === 'const') return s.condition.value ? s.then : s.else
      return doesNothing(s.then) && doesNothing(s.else) ? [] : [s]
    }
  }
}

/** Whether a run of `p` changes nothing that its caller sees. */
export function changesNothing(p: Program): boolean {
  const seen = new Set(p.arrays.filter((a) => a.role !== 'temp').map((a) => a.name))
  return !someStmt(p.body, (s) => s.kind === 'store' && seen.has(s.array))
}

/** Whether something in `e` divides integers by what may be 0: it must not be computed where it is not wanted. */
export const mayDivideByZero = (e: Expr): boolean =>
  someExpr(e, (x) => x.kind === 'op' && divides.has(x.op) && !isFloat(x.type) && !literal(x.args[1]!)) // it has two

/** Whether an integer is divided by the constant 0 somewhere: C leaves open what that is. */
export const dividesByZero = (p: Program): boolean =>
  someExprOrExtentIn(
    p.body,
    (e) => e.kind === 'op' && divides.has(e.op) && e.type === 'i32' && literal(e.args[1]!) === 0,
  ) // two
