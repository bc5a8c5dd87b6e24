// Operands that lowering makes and asks of, and what a reduction is called in a kernel.
import {
  constOf,
  type Const,
  type Expr,
  type Operand,
  type OpName,
  type ReduceOp,
  type ScalarType,
} from '../../ir/index.ts'

export const one: Expr = { kind: 'const', type: 'i32', value: 1 }
/** Beyond i32 it wraps, as all index arithmetic does: where the result is used it is in range. */
export const i32 = (value: number): Const => ({ kind: 'const', type: 'i32', value: value | 0 })
export const bool = (value: boolean): Const => ({ kind: 'const', type: 'bool', value: value ? 1 : 0 })
export const operandKey = (o: Operand): string =>
  o.kind === 'reg' ? `r${o.id}` : o.kind === 'const' ? `${o.value}` : `$${o.name}`
export const lowerFirst = (s: string): string => s.charAt(0).toLowerCase() + s.slice(1)

export const reduceOps = {
  add: 'add',
  mul: 'mul',
  min: 'min',
  max: 'max',
  and: 'and',
  or: 'or',
  xor: 'xor',
  land: 'land',
  lor: 'lor',
} as const satisfies Record<ReduceOp, OpName>

export const isLogical = (op: ReduceOp): op is 'land' | 'lor' => op === 'land' || op === 'lor'

/** The two factors of a product, for a fused multiply-add. */
export const factors = (e: Expr): readonly [Expr, Expr] | undefined =>
  e.kind === 'op' && e.op === 'mul' && e.type === 'f32' ? [e.args[0]!, e.args[1]!] : undefined

/** The greatest exponent up to which a power of two and its reciprocal both are normal numbers, for each type. */
const mostExponent: Partial<Record<ScalarType, number>> = { f16: 14, f32: 126, f64: 1022 }

/** The reciprocal of a power of two: a product with it is the quotient to the last bit. */
export function exactReciprocal(o: Operand, type: ScalarType): Operand | undefined {
  const by = o.kind === 'const' ? Number(o.value) : NaN,
    most = mostExponent[type],
    exponent = Math.round(Math.log2(Math.abs(by)))
  return most !== undefined && Math.abs(exponent) <= most && 2 ** exponent === Math.abs(by)
    ? constOf(type, 1 / by)
    : undefined
}
