// In: expressions as parsed. Out: values and references, with the statements that compute them. The one idea: `place`
// follows names, members, indices and `*` as far as there is memory behind them; `evaluateExpression` loads what is
// left. Operands that a later call could change are copied first.
import { fail } from '../../base/index.ts'
import { constOf, type Operand } from '../../ir/index.ts'
import { elementTypeOf, elementRef, load, memberRef, storeTo, whole } from './access.ts'
import { bitcast, callPure } from './builtins/pure.ts'
import { construct, constructInferred } from './builtins/constructors.ts'
import { callEffect } from './builtins/effects.ts'
import { checkConstantArguments, checkConstantCall, checkConstantOperation } from './constant-errors.ts'
import { regrouped } from './text/operator-precedence.ts'
import { binaryOperation, unaryOperation, type BinaryOperator } from './builtins/operators.ts'
import { suffixes, typeName } from './types/type-names.ts'
import { declaredElsewhere, isRef, spanOf, type Env, type WgslScope } from './scope.ts'
import type { ElemOf, Expression } from './text/source.ts'
import { callTexture } from './builtins/textures.ts'
import {
  elementName,
  scalarNamesOf,
  memoryOf,
  ofSize,
  partCount,
  bytesOfWgsl,
  wgslTypeText,
  type ScalarName,
  type WType,
} from './types/types.ts'
import { concretize, freeze, isConstantValue, literalValue, scalarValue, type Ref, type WgslValue } from './values.ts'

/** The value of an expression; what it refers to is loaded. */
export function evaluateExpression(env: Env, e: Expression, scope: WgslScope): WgslValue {
  const outer = env.k.at
  env.k.step()
  if (e.kind === 'component-expression' || e.kind === 'component-member-expression' || e.kind === 'call-expression')
    env.k.at = spanOf(env, e)
  const found = place(env, e, scope)
  const value = isRef(found) ? load(env.k, found) : found
  env.k.at = outer
  return value
}

/** What an expression refers to, or its value where nothing stands behind it. */
export function place(env: Env, e: Expression, scope: WgslScope): Ref | WgslValue {
  switch (e.kind) {
    case 'literal':
      return parseLiteral(env, e)
    case 'ref':
      return named(env, e.ident.originalName, e, scope)
    case 'parenthesized-expression':
      return place(env, e.expression, scope)
    case 'component-expression':
      return element(env, e, scope)
    case 'component-member-expression':
      return member(env, e, scope)
    case 'unary-expression':
      return prefix(env, e, scope)
    case 'binary-expression':
      return infix(env, regrouped(e), scope)
    case 'call-expression':
      return callExpression(env, e, scope, true)
    case 'type':
      return fail('wgsl.type', 'a type stands where a value is needed', spanOf(env, e))
  }
}

function named(env: Env, name: string, e: Expression, scope: WgslScope): Ref | WgslValue {
  const entry = scope.get(name)
  if (!entry) return fail('wgsl.name', `unknown name '${name}'`, spanOf(env, e), declaredElsewhere)
  if (entry.kind === 'place') return entry.ref
  return entry.kind === 'value' ? entry.value : fail('wgsl.type', `'${name}' is no value`, spanOf(env, e))
}

function parseLiteral(env: Env, e: ElemOf<'literal'>): WgslValue {
  const text = e.value
  if (text === 'true' || text === 'false') return literalValue('bool', text === 'true' ? 1 : 0)
  const hex = /^0[xX]/.test(text)
  const suffix = (hex && !/[.pP]/.test(text) ? /[iu]$/ : /[iufh]$/).exec(text)?.[0]
  const digits = suffix ? text.slice(0, -1) : text
  const isFloat = suffix === 'f' || suffix === 'h' || (hex ? /[.pP]/.test(digits) : /[.eE]/.test(digits))
  const name = suffix ? suffixes[suffix]! : isFloat ? 'abstract-float' : 'abstract-int'
  if (name === 'f16' && !env.features.has('f16')) fail('wgsl.feature', "f16 needs 'enable f16;'", spanOf(env, e))
  return isFloat ? literalValue(name, hex ? hexFloat(digits) : Number(digits)) : integerLiteral(env, e, name, digits)
}

function integerLiteral(env: Env, e: Expression, name: ScalarName, digits: string): WgslValue {
  if (digits.length > 40) fail('wgsl.range', 'the number is too large', spanOf(env, e))
  const value = BigInt(digits)
  const most = name === 'u32' ? 2n ** 32n - 1n : name === 'i32' ? 2n ** 31n - 1n : 2n ** 63n - 1n
  if (value > most) fail('wgsl.range', `the number ${digits} does not fit ${name}`, spanOf(env, e))
  return literalValue(name, name === 'abstract-int' ? value : Number(value))
}

/** 0x1.8p3: hexadecimal digits with a point, times a power of two. */
function hexFloat(text: string): number {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)(?:[pP]([+-]?\d+))?$/.exec(text) ?? []
  const digits = whole + fraction
  return digits === '' ? NaN : Number(BigInt(`0x${digits}`)) * 2 ** (Number(exponent) - 4 * fraction.length)
}

/** A pointer stands for what it points to before `.` and `[…]`. */
function based(env: Env, e: Expression, scope: WgslScope): Ref | WgslValue {
  const base = place(env, e, scope)
  return !isRef(base) && base.pointer ? base.pointer : base
}

function element(env: Env, e: ElemOf<'component-expression'>, scope: WgslScope): Ref | WgslValue {
  const base = based(env, e.base, scope)
  const kept = !isRef(base) && hasCall(env, e.access, scope) ? freeze(env.k, base) : base
  const index = concretize(env.k, evaluateExpression(env, e.access, scope))
  if (index.type.kind !== 'scalar' || (index.type.name !== 'i32' && index.type.name !== 'u32'))
    return fail('wgsl.type', `an index must be i32 or u32, not ${wgslTypeText(index.type)}`, spanOf(env, e.access))
  return isRef(kept)
    ? elementRef(env.k, kept, index.parts[0]!, env.needMemory)
    : elementValue(env, kept, index.parts[0]!)
}

/** An element of a value: fixed, selected from a vector, or read from memory that holds the array. */
function elementValue(env: Env, v: WgslValue, index: Operand): WgslValue {
  const { type, count } = elementTypeOf(v.type, env.k.at)
  const n = partCount(type)
  if (index.kind === 'const') {
    const i = Number(index.value)
    if (i < 0 || i >= count) fail('wgsl.index', `the index ${i} is outside ${wgslTypeText(v.type)}`, env.k.at)
    return { type, parts: v.parts.slice(i * n, (i + 1) * n) }
  }
  if (v.type.kind === 'array')
    return load(
      env.k,
      elementRef(env.k, isConstantValue(v) ? env.table(concretize(env.k, v)) : spill(env, v), index, env.needMemory),
    )
  const last = v.parts.slice((count - 1) * n)
  const at = (i: number): Operand => env.k.apply('eq', [index, constOf(index.type, i)])
  const concrete = concretize(env.k, v)
  const choose = (j: number): Operand =>
    Array.from({ length: count - 1 }, (_, i) => i).reduceRight<Operand>(
      (rest, i) => env.k.apply('select', [at(i), concrete.parts[i * n + j]!, rest]),
      concrete.parts[(count - 1) * n + j]!,
    )
  return { type: elementTypeOf(concrete.type, env.k.at).type, parts: last.map((_, j) => choose(j)) }
}

/** Local memory that holds a value. */
function spill(env: Env, v: WgslValue): Ref {
  const type = concretize(env.k, v)
  const element = memoryOf(elementName(type.type) ?? 'u32')
  const bytes = bytesOfWgsl(type.type)
  const resource = env.k.local(env.unique('array'), element, Math.ceil(bytes / (element === 'f16' ? 2 : 4)))
  const ref = whole(resource, type.type, 'read-write', 'function')
  storeTo(env.k, ref, type)
  return ref
}

function member(env: Env, e: ElemOf<'component-member-expression'>, scope: WgslScope): Ref | WgslValue {
  const base = based(env, e.base, scope)
  const { name } = e.access
  if (base.type.kind === 'vector') return swizzle(env, base, name, e)
  if (isRef(base)) return memberRef(base, name, spanOf(env, e.access))
  return memberValue(env, base, name, e)
}

function memberValue(env: Env, v: WgslValue, name: string, e: ElemOf<'component-member-expression'>): WgslValue {
  if (v.type.kind !== 'struct')
    return fail('wgsl.type', `${wgslTypeText(v.type)} has no member '${name}'`, spanOf(env, e.access))
  let at = 0
  for (const m of v.type.members) {
    const n = partCount(m.type)
    if (m.name === name) return { type: m.type, parts: v.parts.slice(at, at + n) }
    at += n
  }
  return fail('wgsl.type', `struct ${v.type.name} has no member '${name}'`, spanOf(env, e.access))
}

function swizzle(
  env: Env,
  base: Ref | WgslValue,
  name: string,
  e: ElemOf<'component-member-expression'>,
): Ref | WgslValue {
  const type = base.type as Extract<WType, { kind: 'vector' }> // the caller has checked
  const set = /^[xyzw]{1,4}$/.test(name) ? 'xyzw' : /^[rgba]{1,4}$/.test(name) ? 'rgba' : ''
  const indices = [...name].map((c) => set.indexOf(c))
  if (!set || indices.some((i) => i >= type.size))
    return fail('wgsl.type', `${wgslTypeText(type)} has no component '${name}'`, spanOf(env, e.access))
  if (isRef(base) && indices.length === 1) return elementRef(env.k, base, constOf('u32', indices[0]!), env.needMemory)
  const v = isRef(base) ? load(env.k, base) : base
  return { type: ofSize(indices.length, type.element), parts: indices.map((i) => v.parts[i]!) }
}

function prefix(env: Env, e: ElemOf<'unary-expression'>, scope: WgslScope): Ref | WgslValue {
  const { value: operator } = e.operator
  switch (operator) {
    case '&': {
      const ref = place(env, e.expression, scope)
      if (!isRef(ref)) return fail('wgsl.type', 'only a variable has an address', spanOf(env, e.expression))
      return { type: { kind: 'pointer', to: ref.type, space: ref.space }, parts: [], pointer: ref }
    }
    case '*': {
      const v = place(env, e.expression, scope)
      return !isRef(v) && v.pointer
        ? v.pointer
        : fail('wgsl.type', `'*' needs a pointer, not ${wgslTypeText(v.type)}`, spanOf(env, e.expression))
    }
    case '-':
    case '!':
    case '~':
      return unaryOperation(env.k, operator, evaluateExpression(env, e.expression, scope))
  }
}

function infix(env: Env, e: ElemOf<'binary-expression'>, scope: WgslScope): WgslValue {
  const operator = e.operator.value
  if (operator === '&&' || operator === '||') return shortCircuit(env, e, operator, scope)
  const first = evaluateExpression(env, e.left, scope)
  const left = hasCall(env, e.right, scope) ? freeze(env.k, first) : first
  // the two others are handled above
  const right = evaluateExpression(env, e.right, scope)
  const value = binaryOperation(env.k, operator as BinaryOperator, left, right)
  const whole = { operator: operator as BinaryOperator, left: e.left, right: e.right, whole: e }
  checkConstantOperation(env, whole, [left, right], value, scope)
  return value
}

/** The right side runs only where the left side does not decide, unless it is arithmetic that may as well run. */
function shortCircuit(env: Env, e: ElemOf<'binary-expression'>, operator: '&&' | '||', scope: WgslScope): WgslValue {
  const { k } = env
  const side = (v: WgslValue): Operand =>
    v.type.kind === 'scalar' && v.type.name === 'bool'
      ? v.parts[0]!
      : fail('wgsl.type', `'${operator}' takes bool, not ${wgslTypeText(v.type)}`, k.at)
  const left = side(evaluateExpression(env, e.left, scope))
  const decides = operator === '&&' ? 0 : 1
  if (left.kind === 'const')
    return left.value === decides
      ? scalarValue('bool', left)
      : scalarValue('bool', side(evaluateExpression(env, e.right, scope)))
  let right: Operand = left
  const stmts = k.collect(() => {
    right = side(evaluateExpression(env, e.right, scope))
  })
  const cheap = stmts.every((s) => s.kind === 'op') && stmts.length <= 12
  if (cheap) {
    stmts.forEach((s) => k.push(s))
    return scalarValue('bool', k.apply(operator === '&&' ? 'land' : 'lor', [left, right]))
  }
  const result = k.reg('bool', operator === '&&' ? 'both' : 'either')
  k.mutable.add(result)
  k.set(result, left)
  const then = [...stmts, ...k.collect(() => k.set(result, right))]
  k.push({ kind: 'if', condition: left, then: operator === '&&' ? then : [], else: operator === '&&' ? [] : then })
  return freeze(k, scalarValue('bool', result))
}

/** A call; `used` says whether its result is wanted. */
export function callExpression(env: Env, e: ElemOf<'call-expression'>, scope: WgslScope, used: boolean): WgslValue {
  env.k.at = spanOf(env, e)
  const written = typeName(e.function)!
  const templates = [...written.args, ...(e.templateArgs ?? [])]
  const entry = scope.get(written.name)
  const args = arguments_(env, e.arguments, scope)
  env.k.at = spanOf(env, e)
  if (entry?.kind === 'function') return env.callUser(entry.fn, args)
  if (entry?.kind === 'type') return construct(env.k, entry.type, args)
  if (entry) return fail('wgsl.type', `'${written.name}' is no function`, env.k.at)
  return predeclaredCall(env, written.name, templates, e, args, scope, used)
}

function arguments_(env: Env, list: readonly Expression[], scope: WgslScope): WgslValue[] {
  const calls = list.map((a) => hasCall(env, a, scope))
  return list.map((a, i) => {
    const v = evaluateExpression(env, a, scope)
    return calls.slice(i + 1).some((c) => c) ? freeze(env.k, v) : v
  })
}

const families = /^(vec[234]|mat[234]x[234]|array)$/

function predeclaredCall(
  env: Env,
  name: string,
  templates: readonly Expression[],
  e: ElemOf<'call-expression'>,
  args: readonly WgslValue[],
  scope: WgslScope,
  used: boolean,
): WgslValue {
  const { k } = env
  const made = converted(env, name, templates, e, args, scope)
  if (!made) checkConstantArguments(env, e, name, args, scope)
  const value = made ?? callPure(k, name, args) ?? callEffect(env, name, args, used) ?? callTexture(env, name, args)
  if (value) {
    checkConstantCall(env, e, value, scope)
    return value
  }
  if (/^(dpdx|dpdy|fwidth)/.test(name)) return fail('wgsl.unsupported', `${name}() belongs to fragment shaders`, k.at)
  return fail('wgsl.name', `unknown function '${name}'`, k.at, declaredElsewhere)
}

/** What a constructor of a predeclared type, or `bitcast`, gives; null of any other name. */
function converted(
  env: Env,
  name: string,
  templates: readonly Expression[],
  e: ElemOf<'call-expression'>,
  args: readonly WgslValue[],
  scope: WgslScope,
): WgslValue | null {
  if (name === 'bitcast') return bitcastCall(env, templates, args, scope)
  if (families.test(name) && templates.length === 0) return constructInferred(env.k, name, args)!
  return /^(bool|i32|u32|f32|f16|vec[234][iufh]?|mat[234]x[234][fh]?|array)$/.test(name)
    ? construct(env.k, env.typeOf(e.function, scope), args)
    : null
}

function bitcastCall(
  env: Env,
  templates: readonly Expression[],
  args: readonly WgslValue[],
  scope: WgslScope,
): WgslValue {
  const to = templates[0] && env.typeOf(templates[0], scope)
  if (!to || (to.kind !== 'scalar' && to.kind !== 'vector') || args.length !== 1)
    return fail('wgsl.type', 'bitcast needs one type in <…> and one argument', env.k.at)
  return bitcast(env.k, args[0]!, scalarNamesOf(to)[0]!, partCount(to))
}

const calls = new WeakMap<Expression, boolean>()

/** Whether evaluating `e` may change variables: it calls a function of the program or an atomic. */
export function hasCall(env: Env, e: Expression, scope: WgslScope): boolean {
  const known = calls.get(e)
  if (known !== undefined) return known
  const found = findCall(env, e, scope)
  calls.set(e, found)
  return found
}

function findCall(env: Env, e: Expression, scope: WgslScope): boolean {
  switch (e.kind) {
    case 'literal':
    case 'ref':
    case 'type':
      return false
    case 'parenthesized-expression':
    case 'unary-expression':
      return hasCall(env, e.expression, scope)
    case 'component-expression':
      return hasCall(env, e.base, scope) || hasCall(env, e.access, scope)
    case 'component-member-expression':
      return hasCall(env, e.base, scope)
    case 'binary-expression':
      return hasCall(env, e.left, scope) || hasCall(env, e.right, scope)
    case 'call-expression':
      return (
        env.globals.get(typeName(e.function)!.name)?.kind === 'function' ||
        e.arguments.some((a) => hasCall(env, a, scope))
      )
  }
}
