// Operators on values: arithmetic with vectors and matrices, comparison, bits, shifts. In: two values. Out: one. The
// one idea: everything becomes scalar operations here; WGSL's rules on which types meet are checked on the way. `&&`
// and `||` are not here, because they decide whether their right side runs.
import { fail } from '../../../base/index.ts'
import type { Operand, OpName } from '../../../ir/index.ts'
import {
  isFloatName,
  isIntegerName,
  isNumeric,
  matrix,
  registerOf,
  wgslTypeText,
  vectorType,
  type MatrixType,
} from '../types/types.ts'
import {
  coerce,
  concretize,
  each,
  isConstantValue,
  numericName,
  unify,
  withElement,
  type Builder,
  type WgslValue,
} from '../values.ts'

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='

const opOf: Record<BinaryOperator, OpName> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr',
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
}

/** `a operator b`. Throws `wgsl.type` when WGSL has no such operation. */
export function binaryOperation(k: Builder, operator: BinaryOperator, a: WgslValue, b: WgslValue): WgslValue {
  if (operator === '<<' || operator === '>>') return shift(k, operator, a, b)
  if (a.type.kind === 'matrix' || b.type.kind === 'matrix') return matrices(k, operator, a, b)
  const both = unify(k, a, b, `'${operator}'`)
  checkShapes(k, operator, both.a, both.b)
  return componentwise(k, operator, both.a, both.b)
}

function checkShapes(k: Builder, operator: BinaryOperator, a: WgslValue, b: WgslValue): void {
  const [n, m] = [a.parts.length, b.parts.length]
  const mixes = '+-*/%'.includes(operator) && (n === 1 || m === 1)
  if (n !== m && !mixes)
    fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)} and ${wgslTypeText(b.type)}`, k.at)
}

function componentwise(k: Builder, operator: BinaryOperator, a: WgslValue, b: WgslValue): WgslValue {
  const name = numericName(a, `'${operator}'`, k.at)
  const refuse = (): never => fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)}`, k.at)
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return isNumeric(name) ? each(k, opOf[operator], [a, b], name) : refuse()
    case '&':
    case '|':
    case '^':
      if (name === 'bool' && operator !== '^') return each(k, operator === '&' ? 'land' : 'lor', [a, b], 'bool')
      return isIntegerName(name) ? each(k, opOf[operator], [a, b], name) : refuse()
    case '==':
    case '!=':
      return each(k, opOf[operator], [a, b], 'bool')
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isNumeric(name) ? each(k, opOf[operator], [a, b], 'bool') : refuse()
    case '<<':
    case '>>':
      return refuse()
  }
}

/** The amount is u32 and counts modulo the width. */
function shift(k: Builder, operator: '<<' | '>>', a: WgslValue, b: WgslValue): WgslValue {
  if (!isConstantValue(b)) a = concretize(k, a)
  const left = numericName(a, `'${operator}'`, k.at)
  if (!isIntegerName(left)) fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)}`, k.at)
  const amount = coerce(k, b, withElement(b.type, 'u32'), 'the shift amount')
  if (a.parts.length !== b.parts.length)
    fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)} and ${wgslTypeText(b.type)}`, k.at)
  const same: WgslValue = { type: a.type, parts: amount.parts.map((p) => k.apply('convert', [p], registerOf(left))) }
  return each(k, opOf[operator], [a, same], left)
}

/** `-a`, `!a`, `~a`. */
export function unaryOperation(k: Builder, operator: '-' | '!' | '~', a: WgslValue): WgslValue {
  const name = numericName(a, `'${operator}'`, k.at)
  const refuse = (): never => fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)}`, k.at)
  switch (operator) {
    case '-':
      return name === 'bool' || name === 'u32' ? refuse() : each(k, 'neg', [a], name)
    case '!':
      return name === 'bool' ? each(k, 'lnot', [a], name) : refuse()
    case '~':
      return isIntegerName(name)
        ? each(
            k,
            'not',
            [isConstantValue(a) ? a : concretize(k, a)],
            isConstantValue(a) ? name : numericName(concretize(k, a), '~', k.at),
          )
        : refuse()
  }
}

export const column = (m: WgslValue & { readonly type: MatrixType }, i: number): WgslValue => ({
  type: vectorType(m.type.rows, m.type.element),
  parts: m.parts.slice(i * m.type.rows, (i + 1) * m.type.rows),
})

const isMatrix = (v: WgslValue): v is WgslValue & { readonly type: MatrixType } => v.type.kind === 'matrix'

function matrices(k: Builder, operator: BinaryOperator, left: WgslValue, right: WgslValue): WgslValue {
  const { a, b, name } = unify(k, left, right, `'${operator}'`)
  const refuse = (): never =>
    fail('wgsl.type', `'${operator}' cannot take ${wgslTypeText(a.type)} and ${wgslTypeText(b.type)}`, k.at)
  if (!isFloatName(name)) return refuse()
  if (operator === '*') return product(k, a, b) ?? refuse()
  const same = isMatrix(a) && isMatrix(b) && a.type.columns === b.type.columns && a.type.rows === b.type.rows
  return same && (operator === '+' || operator === '-') ? each(k, opOf[operator], [a, b], name) : refuse()
}

function product(k: Builder, a: WgslValue, b: WgslValue): WgslValue | undefined {
  if (!isMatrix(a)) return isMatrix(b) ? beforeMatrix(k, a, b) : undefined
  if (b.type.kind === 'scalar') return each(k, 'mul', [a, b], a.type.element)
  if (b.type.kind === 'vector') return b.type.size === a.type.columns ? timesVector(k, a, b.parts) : undefined
  if (!isMatrix(b) || b.type.rows !== a.type.columns) return undefined
  const columns = Array.from({ length: b.type.columns }, (_, j) => timesVector(k, a, column(b, j).parts).parts)
  return { type: matrix(b.type.columns, a.type.rows, a.type.element), parts: columns.flat() }
}

function beforeMatrix(k: Builder, a: WgslValue, b: WgslValue & { readonly type: MatrixType }): WgslValue | undefined {
  if (a.type.kind === 'scalar') return each(k, 'mul', [b, a], b.type.element)
  if (a.type.kind !== 'vector' || a.type.size !== b.type.rows) return undefined
  const parts = Array.from({ length: b.type.columns }, (_, j) => sumOfProducts(k, a.parts, column(b, j).parts))
  return { type: vectorType(b.type.columns, b.type.element), parts }
}

function timesVector(k: Builder, m: WgslValue & { readonly type: MatrixType }, v: readonly Operand[]): WgslValue {
  const { rows, columns, element } = m.type
  const parts = Array.from({ length: rows }, (_, i) =>
    sumOfProducts(
      k,
      Array.from({ length: columns }, (_, j) => m.parts[j * rows + i]!),
      v,
    ),
  )
  return { type: vectorType(rows, element), parts }
}

/** a·b, added in order. */
export function sumOfProducts(k: Builder, a: readonly Operand[], b: readonly Operand[]): Operand {
  return a.map((x, i) => k.apply('mul', [x, b[i]!])).reduce((sum, p) => k.apply('add', [sum, p]))
}
