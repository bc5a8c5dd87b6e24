// In: a type as written. Out: its `WType`. The one idea: WGSL's predeclared types are a table of spellings; what the
// program declares comes from its scope first. Types that kernels here cannot have are refused by name.
import { fail } from '../../../base/index.ts'
import type { Expression, TypeRef } from '../text/source.ts'
import { textureType } from './texture-type.ts'
import { constantNumber, declaredElsewhere, spanOf, type Env, type WgslScope } from '../scope.ts'
import {
  isFloatName,
  isNumeric,
  matrix,
  scalar,
  wgslTypeText,
  vectorType,
  type AddressSpace,
  type ScalarName,
  type WType,
} from './types.ts'

const scalarNames: Record<string, ScalarName> = { bool: 'bool', i32: 'i32', u32: 'u32', f32: 'f32', f16: 'f16' }
export const suffixes: Record<string, ScalarName> = { i: 'i32', u: 'u32', f: 'f32', h: 'f16' }
const spaces: readonly AddressSpace[] = ['function', 'private', 'workgroup', 'storage', 'uniform']

/** The name and template arguments of a type as written; null when the expression is no type name. */
export function typeName(
  e: Expression | TypeRef,
): { readonly name: string; readonly args: readonly Expression[] } | null {
  if (e.kind === 'type') return { name: e.name.originalName, args: e.templateParams ?? [] }
  return e.kind === 'ref' ? { name: e.ident.originalName, args: [] } : null
}

export function resolveType(env: Env, e: Expression | TypeRef, scope: WgslScope): WType {
  const at = spanOf(env, e)
  const written = typeName(e) ?? fail('wgsl.type', 'a type is needed here', at)
  const entry = scope.get(written.name)
  if (entry?.kind === 'type') return entry.type
  if (entry) return fail('wgsl.type', `'${written.name}' is no type`, at)
  return predeclared(env, written.name, written.args, scope) ?? unknown(written.name, e, env)
}

/** Types of proposed extensions of WGSL, which have no meaning here. */
const extensionTypes =
  /^(acceleration_structure|ray_|texel_buffer|buffer$|input_attachment|resource_table|subgroup_matrix|binding_array)/

function unknown(name: string, e: Expression | TypeRef, env: Env): never {
  const at = spanOf(env, e)
  if (extensionTypes.test(name)) return fail('wgsl.unsupported', `'${name}' cannot be analysed`, at)
  return fail('wgsl.name', `unknown type '${name}'`, at, declaredElsewhere)
}

/** A predeclared type with its template arguments, or undefined. */
function predeclared(env: Env, name: string, args: readonly Expression[], scope: WgslScope): WType | undefined {
  if (Object.hasOwn(scalarNames, name)) {
    if (name === 'f16' && !env.features.has('f16')) fail('wgsl.feature', "f16 needs 'enable f16;'", env.k.at)
    return scalar(scalarNames[name]!)
  }
  const v = /^vec([234])([iufh])?$/.exec(name)
  if (v) return vectorType(Number(v[1]), element(env, args, v[2], name, scope, isAny))
  const m = /^mat([234])x([234])([fh])?$/.exec(name)
  if (m) return matrix(Number(m[1]), Number(m[2]), element(env, args, m[3], name, scope, isFloatName))
  switch (name) {
    case 'array':
      return arrayType(env, args, scope)
    case 'atomic':
      return atomicType(env, args, scope)
    case 'ptr':
      return pointerType(env, args, scope)
    default:
      return textureType(env, name, args, scope)
  }
}

const isAny = (n: ScalarName): boolean => n === 'bool' || isNumeric(n)

function element(
  env: Env,
  args: readonly Expression[],
  suffix: string | undefined,
  name: string,
  scope: WgslScope,
  takes: (n: ScalarName) => boolean,
): ScalarName {
  if (suffix) return suffixes[suffix]!
  if (args.length !== 1) fail('wgsl.type', `${name} needs one type in <…>`, env.k.at)
  const type = env.typeOf(args[0]!, scope)
  if (type.kind !== 'scalar' || !takes(type.name))
    return fail('wgsl.type', `${name} cannot be made of ${wgslTypeText(type)}`, spanOf(env, args[0]!))
  return type.name
}

function arrayType(env: Env, args: readonly Expression[], scope: WgslScope): WType {
  if (args.length < 1 || args.length > 2) fail('wgsl.type', 'array needs a type and at most a count in <…>', env.k.at)
  const type = env.typeOf(args[0]!, scope)
  if (args.length === 1) return { kind: 'array', element: type, count: null }
  const count = constantNumber(env, args[1]!, scope, 'the count of an array')
  if (!Number.isInteger(count) || count < 1 || count >= 2 ** 32)
    fail('wgsl.type', `an array of ${count} elements is impossible`, spanOf(env, args[1]!))
  return { kind: 'array', element: type, count }
}

function atomicType(env: Env, args: readonly Expression[], scope: WgslScope): WType {
  const type = args.length === 1 ? env.typeOf(args[0]!, scope) : null
  if (type?.kind === 'scalar' && (type.name === 'i32' || type.name === 'u32'))
    return { kind: 'atomic', element: type.name }
  return fail('wgsl.type', 'atomic takes i32 or u32', env.k.at)
}

function pointerType(env: Env, args: readonly Expression[], scope: WgslScope): WType {
  const space =
    args[0]?.kind === 'ref'
      ? spaces.find((s) => s === (args[0] as Extract<Expression, { kind: 'ref' }>).ident.originalName)
      : undefined // just checked
  if (!space || !args[1]) return fail('wgsl.type', 'ptr needs an address space and a type in <…>', env.k.at)
  return { kind: 'pointer', to: env.typeOf(args[1], scope), space }
}
