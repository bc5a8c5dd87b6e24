// In: assignments and increments. Out: stores. The one idea: what is assigned to is found before the value is computed,
// and keeps its index through whatever the value calls; a swizzle whose components are not side by side is several
// places.
import { fail } from '../../../base/index.ts'
import { load, storeTo } from '../access.ts'
import { hasCall } from '../expressions.ts'
import { binaryOperation, type BinaryOperator } from '../builtins/operators.ts'
import { checkConstantOperation } from '../constant-errors.ts'
import { isRef, spanOf, type Env, type WgslScope } from '../scope.ts'
import type { ElemOf, Expression } from '../text/source.ts'
import { isSwizzle, swizzleTargets } from './swizzle.ts'
import { ofSize, scalar, wgslTypeText, type WType } from '../types/types.ts'
import { coerce, freeze, literalValue, type Ref, type WgslValue } from '../values.ts'

/** Sets the place that is written into what follows. */
const place = (env: Env, s: { readonly start: number; readonly end: number }): void => {
  env.k.at = spanOf(env, s)
}

/** A value (or pointer) that later assignments do not change. */
export function keep(env: Env, v: WgslValue): WgslValue {
  if (!v.pointer) return freeze(env.k, v)
  const { pointer } = v
  if (pointer.index === null) return v
  const [index] = freeze(env.k, { type: scalar('u32'), parts: [pointer.index] }).parts
  return { ...v, pointer: { ...pointer, index: index! } }
}

/** An assignment, plain, compound or to `_`. */
export function assign(env: Env, s: ElemOf<'assign'>, scope: WgslScope): void {
  if (s.lhs.kind === 'phony') {
    env.expression(s.rhs, scope)
    return
  }
  const refs = targets(env, s.lhs, scope, hasCall(env, s.rhs, scope))
  if (s.op.value === '=') return put(env, refs, env.expression(s.rhs, scope), s.lhs)
  place(env, s.lhs)
  const before = loadAll(env, refs)
  const left = hasCall(env, s.rhs, scope) ? freeze(env.k, before) : before
  const right = env.expression(s.rhs, scope)
  place(env, s)
  // compound operators are these and '='
  const operator = s.op.value.slice(0, -1) as BinaryOperator
  const value = binaryOperation(env.k, operator, left, right)
  checkConstantOperation(env, { operator, left: null, right: s.rhs, whole: s }, [left, right], value, scope)
  put(env, refs, value, s.lhs)
}

function put(
  env: Env,
  refs: readonly Ref[],
  value: WgslValue,
  s: { readonly start: number; readonly end: number },
): void {
  const { k } = env
  place(env, s)
  const type = typeOfAll(refs)
  if (type.kind === 'atomic') fail('wgsl.type', 'an atomic cannot be assigned', k.at, 'use atomicStore(&…, …)')
  const given = coerce(k, value, type, 'the assigned value')
  if (refs.length === 1) return storeTo(k, refs[0]!, given)
  const { parts } = freeze(k, given)
  refs.forEach((r, i) => storeTo(k, r, { type: r.type, parts: [parts[i]!] }))
}

function loadAll(env: Env, refs: readonly Ref[]): WgslValue {
  const values = refs.map((r) => load(env.k, r))
  return values.length === 1 ? values[0]! : { type: typeOfAll(refs), parts: values.flatMap((v) => v.parts) }
}

/** Several for a swizzle of components that are not side by side. */
function targets(env: Env, e: Expression, scope: WgslScope, fix: boolean): readonly Ref[] {
  if (e.kind === 'parenthesized-expression') return targets(env, e.expression, scope, fix)
  if (e.kind !== 'component-member-expression' || !isSwizzle(e.access.name)) return [target(env, e, scope, fix)]
  const found = env.place(e.base, scope)
  const base = isRef(found) ? found : found.pointer
  if (base?.type.kind !== 'vector') return [target(env, e, scope, fix)]
  return swizzleTargets(env.k, { ...kept(env, base, fix), type: base.type }, e.access.name, spanOf(env, e.access))
}

function target(env: Env, e: Expression, scope: WgslScope, fix: boolean): Ref {
  const ref = env.place(e, scope)
  if (!isRef(ref)) return fail('wgsl.type', 'only a variable can be assigned', spanOf(env, e))
  return kept(env, ref, fix)
}

/** The reference; if asked for, with an index that what runs in between does not change. */
function kept(env: Env, ref: Ref, fix: boolean): Ref {
  if (!fix || ref.index === null) return ref
  return keep(env, { type: { kind: 'pointer', to: ref.type, space: ref.space }, parts: [], pointer: ref }).pointer!
}

/** `++` and `--`. */
export function bump(env: Env, e: Expression, operator: '+' | '-', scope: WgslScope): void {
  const ref = target(env, e, scope, false)
  const before = load(env.k, ref)
  if (before.type.kind !== 'scalar' || (before.type.name !== 'i32' && before.type.name !== 'u32'))
    fail('wgsl.type', `'${operator}${operator}' takes i32 or u32, not ${wgslTypeText(before.type)}`, env.k.at)
  storeTo(
    env.k,
    ref,
    binaryOperation(env.k, operator, before, coerce(env.k, literalValue('abstract-int', 1n), before.type, '1')),
  )
}

const typeOfAll = (refs: readonly Ref[]): WType => {
  const [first] = refs
  return refs.length > 1 && first!.type.kind === 'scalar' ? ofSize(refs.length, first!.type.name) : first!.type
}
