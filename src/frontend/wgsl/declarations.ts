// In: declarations that need no function around them. Out: values of constants, assertions tried, memory for variables.
import { fail } from '../../base/index.ts'
import { bytesOf } from '../../ir/index.ts'
import { boundedSize, whole } from './access.ts'
import { constantNumber, spanOf, type Env, type WgslScope } from './scope.ts'
import type { ElemOf } from './text/source.ts'
import { elementName, memoryOf, type WType } from './types/types.ts'
import { coerce, type Ref, type WgslValue } from './values.ts'

/** Private memory of an invocation (docs/wgsl.md). */
const maxLocalBytes = 65536

/** New zeroed local memory for a variable of `type`. */
export function localMemory(env: Env, name: string, type: WType, space: 'function' | 'private'): Ref {
  const element = memoryOf(elementName(type) ?? 'u32')
  const bytes = boundedSize(type, maxLocalBytes, `variable '${name}'`, env.k.at)
  return whole(
    env.k.local(env.unique(name), element, Math.max(1, bytes / bytesOf[element]), true),
    type,
    'read-write',
    space,
  )
}

/** Writes zeros over all of a local variable. */
export function clear(env: Env, ref: Ref): void {
  if (ref.kind !== 'memory') return
  const { resource } = ref
  env.k.forRange({ to: resource.count ?? 0, type: 'u32', name: 'zero' }, (i) => env.k.store(resource, i, 0))
}

/** The value of a `const`. Throws `wgsl.const` when it is none. */
export function constantValue(env: Env, s: ElemOf<'const'> | ElemOf<'override'>, scope: WgslScope): WgslValue {
  const name = s.name.decl.ident.originalName
  env.k.at = spanOf(env, s)
  if (!s.init) return fail('wgsl.syntax', `'${name}' needs a value`, env.k.at)
  const v = env.expression(s.init, scope)
  if (v.pointer || !v.parts.every((p) => p.kind === 'const'))
    return fail('wgsl.const', `the value of '${name}' must be a constant expression`, spanOf(env, s.init))
  return s.name.typeRef ? coerce(env.k, v, env.typeOf(s.name.typeRef, scope), `the value of '${name}'`) : v
}

/** `const_assert`. Throws `wgsl.assert`. */
export function checkAssert(env: Env, s: ElemOf<'assert'>, scope: WgslScope): void {
  if (constantNumber(env, s.expression, scope, 'an assertion') === 0)
    fail('wgsl.assert', 'the assertion is false', spanOf(env, s))
}

/** `@if` and its like are WESL. */
export function refuseConditional(
  env: Env,
  s: {
    readonly attributes?: readonly { readonly attribute: { readonly kind: string } }[] | undefined
    readonly start: number
    readonly end: number
  },
): void {
  const found = s.attributes?.find((a) => ['@if', '@elif', '@else'].includes(a.attribute.kind))
  if (found)
    fail(
      'wgsl.unsupported',
      `${found.attribute.kind} is WESL, not WGSL`,
      spanOf(env, s),
      'resolve the conditions first',
    )
}
