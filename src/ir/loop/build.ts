// Builders for LoopIR with constant folding of integer index arithmetic, so that schedules read like algebra and the
// code that comes out has no `+ 0` or `* 1`. Values that are not index arithmetic are built as asked.
import { InternalError, type Span } from '../../base/index.ts'
import { complements, isComparison, opRow, type OpName, type ReduceOp } from '../ops.ts'
import { isFloat, registerType, type ScalarType } from '../types.ts'
import type {
  ArrayDecl,
  Binding,
  Expr,
  HostVariable,
  If,
  Loop,
  LoopStmt,
  Program,
  Size,
  Store,
  Symbols,
} from './loop.ts'

export const int = (value: number): Expr => ({ kind: 'const', type: 'i32', value })
export const constant = (type: ScalarType, value: number | bigint): Expr => ({ kind: 'const', type, value })
export const loopVar = (name: string): Expr => ({ kind: 'var', type: 'i32', name })
/** All integers that are known when a launch begins: the caller's, what follows from them, and the host's variables. */
export const symbolsOf = (p: Symbols): readonly (Size | HostVariable)[] => [...p.sizes, ...p.hostVariables]
/** Whether the size can have no other value than the planned one. */
export const isFixed = (s: Size): boolean => s.kind === 'given' && s.fixed === true
/** `p` inside of host loops of these variables as well. */
export const withHostVariables = (p: Program, more: readonly HostVariable[]): Program => ({
  ...p,
  hostVariables: [...p.hostVariables, ...more],
})

export const sizeOf = (name: string): Expr => ({ kind: 'size', type: 'i32', name })
export const scalarParam = (name: string, type: ScalarType): Expr => ({ kind: 'scalar', type, name })
export const read = (array: ArrayDecl, index: readonly Expr[], at?: Span): Expr => ({
  kind: 'read',
  type: registerType(array.type),
  array: array.name,
  index,
  ...(at && { at }),
})
export const choose = (condition: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: 'choose',
  type: then.type,
  condition,
  then,
  else: otherwise,
})

/** The value of an integer literal, or undefined. */
export function literal(e: Expr): number | undefined {
  return e.kind === 'const' && typeof e.value === 'number' && (e.type === 'i32' || e.type === 'u32')
    ? e.value
    : undefined
}

/**
 * `op` applied to `args`; the result type follows from the op's row and the arguments. For `convert`/`bitcast` give
 * `type`.
 */
export function op(name: OpName, args: readonly Expr[], type?: ScalarType): Expr {
  const row = opRow(name)
  if (args.length !== row.arity)
    throw new InternalError('ir/build', `${name} takes ${row.arity} arguments, got ${args.length}`)
  const value = name === 'select' ? args[1] : args[0]
  const result = row.gives === 'bool' ? 'bool' : row.gives === 'to' ? type : value?.type
  if (!result) throw new InternalError('ir/build', `${name} needs a result type`)
  return { kind: 'op', type: result, op: name, args }
}

/** a + b on i32 index expressions, folded. */
export function add(a: Expr, b: Expr): Expr {
  const x = literal(a),
    y = literal(b)
  if (x !== undefined && y !== undefined) return int(x + y)
  if (x === 0) return b
  if (y === 0) return a
  if (x !== undefined) return add(b, a)
  if (y !== undefined && a.kind === 'op' && a.op === 'add') {
    const inner = literal(a.args[1]!)
    if (inner !== undefined) return add(a.args[0]!, int(inner + y))
  }
  if (y !== undefined && a.kind === 'op' && a.op === 'sub') {
    const inner = literal(a.args[1]!)
    if (inner !== undefined) return add(a.args[0]!, int(y - inner))
  }
  if (y !== undefined && y < 0) return op('sub', [a, int(-y)])
  return op('add', [a, b])
}

/** a − b on i32 index expressions, folded. */
export function sub(a: Expr, b: Expr): Expr {
  const y = literal(b)
  if (y !== undefined) return add(a, int(-y))
  return op('sub', [a, b])
}

/** a × b on i32 index expressions, folded. */
export function mul(a: Expr, b: Expr): Expr {
  const x = literal(a),
    y = literal(b)
  if (x !== undefined && y !== undefined) return int(x * y)
  if (x === 0 || y === 0) return int(0)
  if (x === 1) return b
  if (y === 1) return a
  if (x !== undefined) return mul(b, a)
  return op('mul', [a, b])
}

/** floor(a / b) for a ≥ 0 and a positive constant b. */
export function div(a: Expr, b: number): Expr {
  const x = literal(a)
  if (x !== undefined) return int(Math.floor(x / b))
  return b === 1 ? a : op('div', [a, int(b)])
}

/** a mod b for a ≥ 0 and a positive constant b. */
export function mod(a: Expr, b: number): Expr {
  const x = literal(a)
  if (x !== undefined) return int(((x % b) + b) % b)
  return b === 1 ? int(0) : op('rem', [a, int(b)])
}

/** ceil(a / b) for a ≥ 0 and a positive constant b. */
export const ceilDiv = (a: Expr, b: number): Expr => (b === 1 ? a : div(add(a, int(b - 1)), b))

export const sum = (...terms: readonly Expr[]): Expr => terms.reduce(add, int(0))
/** Whether it is the constant 0, of any type. */
export const isZero = (e: Expr): boolean => e.kind === 'const' && Number(e.value) === 0
/** Whether it is the constant 1, of any type. */
export const isOne = (e: Expr): boolean => e.kind === 'const' && Number(e.value) === 1

export const lt = (a: Expr, b: Expr): Expr => op('lt', [a, b])
export const both = (a: Expr, b: Expr): Expr => op('land', [a, b])

/**
 * A condition that holds where `e` does not: NaN, which is neither less nor not, keeps comparisons of floats as they
 * are.
 */
export function negated(e: Expr): Expr {
  if (e.kind !== 'op') return op('lnot', [e])
  if (e.op === 'lnot') return e.args[0]! // it has one
  if (e.op === 'land' || e.op === 'lor') return op(e.op === 'land' ? 'lor' : 'land', e.args.map(negated))
  return isComparison(e.op) && !isFloat(e.args[0]?.type ?? 'f32') ? { ...e, op: complements[e.op] } : op('lnot', [e])
}

export const serial: Binding = { kind: 'serial' }

/** A loop over `[0, extent)` with step 1 unless told otherwise. */
export function loop(
  name: string,
  upper: Expr,
  body: readonly LoopStmt[],
  more: { readonly lower?: Expr; readonly step?: number; readonly bind?: Binding; readonly at?: Span } = {},
): Loop {
  return {
    kind: 'loop',
    name,
    lower: more.lower ?? int(0),
    upper,
    step: more.step ?? 1,
    bind: more.bind ?? serial,
    body,
    ...(more.at && { at: more.at }),
  }
}

export const store = (
  array: ArrayDecl,
  index: readonly Expr[],
  value: Expr,
  reduce: ReduceOp | null = null,
  at?: Span,
): Store => ({ kind: 'store', array: array.name, index, reduce, value, ...(at && { at }) })

export const when = (condition: Expr, then: readonly LoopStmt[], otherwise: readonly LoopStmt[] = []): If => ({
  kind: 'if',
  condition,
  then,
  else: otherwise,
})
