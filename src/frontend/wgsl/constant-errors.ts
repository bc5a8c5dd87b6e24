// In: an operation or call whose operands are constant expressions, and its value. Out: nothing, or the error with
// which WGSL refuses it. The one idea: what is wrong with constants is known before anything runs, so that a compiler
// must say it (WGSL, 8.1 const-expressions, 8.7 arithmetic, 8.9 shifts, 15.7.2 finite math): a value that is no finite
// number, an integer divided by 0, an abstract integer beyond 64 bits, bits shifted by the width or more. Values of
// overrides are known then, too. A `let` is a value at run time, whatever it holds.
import { fail } from '../../base/index.ts'
import { isFloat, type Operand } from '../../ir/index.ts'
import { typeName } from './types/type-names.ts'
import type { BinaryOperator } from './builtins/operators.ts'
import { elementName, isFloatName, wgslTypeText, type ScalarName } from './types/types.ts'
import { spanOf, type Env, type WgslScope } from './scope.ts'
import type { ElemOf, Expression } from './text/source.ts'
import type { WgslValue } from './values.ts'

/** Whether WGSL has the value of an expression before anything runs. */
export function isConstantExpression(env: Env, e: Expression, scope: WgslScope): boolean {
  switch (e.kind) {
    case 'literal':
      return true
    case 'ref': {
      const entry = scope.get(e.ident.originalName)
      return entry?.kind === 'value' && entry.constant === true
    }
    case 'parenthesized-expression':
      return isConstantExpression(env, e.expression, scope)
    case 'unary-expression':
      return e.operator.value !== '&' && e.operator.value !== '*' && isConstantExpression(env, e.expression, scope)
    case 'component-expression':
      return isConstantExpression(env, e.base, scope) && isConstantExpression(env, e.access, scope)
    case 'component-member-expression':
      return isConstantExpression(env, e.base, scope)
    case 'binary-expression':
      return isConstantExpression(env, e.left, scope) && isConstantExpression(env, e.right, scope)
    case 'call-expression':
      return (
        scope.get(typeName(e.function)!.name)?.kind !== 'function' &&
        e.arguments.every((a) => isConstantExpression(env, a, scope))
      )
    case 'type':
      return false
  }
}

/** An operation as it stands in the text; of `a += b` the left side is no constant. */
export interface ConstantOperation {
  readonly operator: BinaryOperator
  readonly left: Expression | null
  readonly right: Expression
  /** All of it. */
  readonly whole: { readonly start: number; readonly end: number }
}

/** Refuses an operation that is an error by its constant operands. Throws `wgsl.range`. */
export function checkConstantOperation(
  env: Env,
  e: ConstantOperation,
  [left, right]: readonly [WgslValue, WgslValue],
  value: WgslValue,
  scope: WgslScope,
): void {
  if (!right.parts.every((p) => p.kind === 'const') || !isConstantExpression(env, e.right, scope)) return
  const isConstant = e.left !== null && isConstantExpression(env, e.left, scope)
  const by = right.parts.map(numberOf)
  const type = elementName(value.type)
  const isInteger = type !== null && !isFloatName(type) && type !== 'bool'
  if ((e.operator === '/' || e.operator === '%') && isInteger && by.includes(0))
    refuse(env, e.right, `an integer is divided by 0`, 'divide by a value that is not 0')
  if (e.operator === '<<' || e.operator === '>>') checkShift(env, e, isConstant, left, by)
  if (!isConstant) return
  checkFinite(env, e.whole, value)
  if (isInteger) checkWidth(env, e, type, left, right)
}

function checkShift(env: Env, e: ConstantOperation, isConstant: boolean, left: WgslValue, by: readonly number[]): void {
  const width = elementName(left.type) === 'abstract-int' && isConstant ? 64 : 32
  if (by.some((n) => n >= width))
    refuse(env, e.right, `a value of ${width} bits is shifted by ${Math.max(...by)}`, `shift by ${width - 1} at most`)
}

/** Refuses a call of constants that gives no finite number. Throws `wgsl.range`. */
export function checkConstantCall(env: Env, e: ElemOf<'call-expression'>, value: WgslValue, scope: WgslScope): void {
  if (e.arguments.length > 0 && isConstantExpression(env, e, scope)) checkFinite(env, e, value)
}

/** Largest finite f16. */
const mostHalf = 65504

/** What some functions ask of arguments that are constants: of all of them, or null where they hold it. */
const argumentRules: Readonly<Record<string, (args: readonly (readonly number[])[]) => string | null>> = {
  clamp: ([, low, high]) => (exceeds(low, high) ? 'its low limit is above its high one' : null),
  smoothstep: ([low, high]) => (low?.some((x, i) => x === high?.[i]) ? 'its two limits are equal' : null),
  extractBits: ([, offset, count]) => bitsBeyond(offset, count),
  insertBits: ([, , offset, count]) => bitsBeyond(offset, count),
  ldexp: ([, exponent]) => (exponent?.some((x) => x > 128) ? 'its exponent is above 128' : null),
  pack2x16float: ([values]) => (values?.some((x) => Math.abs(x) > mostHalf) ? `f16 ends at ${mostHalf}` : null),
  quantizeToF16: ([values]) => (values?.some((x) => Math.abs(x) > mostHalf) ? `f16 ends at ${mostHalf}` : null),
}

const exceeds = (a: readonly number[] = [], b: readonly number[] = []): boolean => a.some((x, i) => x > (b[i] ?? NaN))
const bitsBeyond = ([offset = NaN]: readonly number[] = [], [count = NaN]: readonly number[] = []): string | null =>
  offset + count > 32 ? 'its offset and count pass the 32 bits of a value' : null

/** Refuses a call of a built-in function by those of its arguments that are constants. Throws `wgsl.range`. */
export function checkConstantArguments(
  env: Env,
  e: ElemOf<'call-expression'>,
  name: string,
  args: readonly WgslValue[],
  scope: WgslScope,
): void {
  const rule = Object.hasOwn(argumentRules, name) ? argumentRules[name] : undefined
  if (!rule) return
  // what is no constant is NaN, which no rule refuses
  const known = args.map((a, i) => (isConstantExpression(env, e.arguments[i]!, scope) ? a.parts.map(numberOf) : [NaN]))
  const wrong = rule(known)
  if (wrong !== null) refuse(env, e, `${name}() of these constants is an error: ${wrong}`, 'change the constants')
}

function checkFinite(env: Env, e: ConstantOperation['whole'], value: WgslValue): void {
  if (value.parts.some((p) => p.kind === 'const' && isFloat(p.type) && !Number.isFinite(numberOf(p))))
    refuse(
      env,
      e,
      `this constant of type ${wgslTypeText(value.type)} is no finite number`,
      'compute it from values that are known at run time, or use bitcast<f32>(…) of a variable',
    )
}

/**
 * Sums and products of abstract integers have 64 bits and do not wrap, where those of others do; quotients and shifts
 * may lose no bit of any.
 */
function checkWidth(env: Env, e: ConstantOperation, type: ScalarName, left: WgslValue, right: WgslValue): void {
  left.parts.forEach((p, i) => {
    const [a, b] = [bigOf(p), bigOf(right.parts[i] ?? right.parts[0])]
    if (a === null || b === null) return
    const exact = exactly(e.operator, a, b, type === 'abstract-int')
    if (exact === null || fitted(type, exact) === exact) return
    refuse(
      env,
      e.whole,
      `the constant ${exact} does not fit ${type === 'abstract-int' ? '64 bits' : type}`,
      'use smaller numbers, or floats',
    )
  })
}

/** What an operation gives without limits of width; null where it cannot lose anything, or may. */
function exactly(operator: BinaryOperator, a: bigint, b: bigint, isAbstract: boolean): bigint | null {
  if (operator === '<<') return a << b
  if (operator === '/') return b === 0n ? null : a / b
  if (!isAbstract) return null
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  return operator === '*' ? a * b : null
}

const fitted = (type: ScalarName, x: bigint): bigint =>
  type === 'u32' ? BigInt.asUintN(32, x) : BigInt.asIntN(type === 'i32' ? 32 : 64, x)

const numberOf = (p: Operand): number => (p.kind === 'const' ? Number(p.value) : NaN)

const bigOf = (p: Operand | undefined): bigint | null =>
  p?.kind === 'const' && !isFloat(p.type) && p.type !== 'bool' ? BigInt(p.value) : null

function refuse(env: Env, e: ConstantOperation['whole'], message: string, hint: string): never {
  return fail('wgsl.range', message, spanOf(env, e), hint)
}
