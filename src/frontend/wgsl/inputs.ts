// The built-in values of an entry point. In: its parameters. Out: a scope that holds them. The one idea: they are
// computed at the beginning of the kernel from KernelIR's own built-ins; what is never used is removed by `tidy`.
import { fail } from '../../base/index.ts'
import { constOf, type Operand } from '../../ir/index.ts'
import { WgslScope, spanOf, type Env } from './scope.ts'
import type { WgslAttributes, ElemOf, Fn } from './text/source.ts'
import { partCount, scalar, wgslTypeText, vectorType, type WType } from './types/types.ts'
import type { WgslValue } from './values.ts'

const axes = ['x', 'y', 'z'] as const
type Axis = (typeof axes)[number]

export function entryInputs(env: Env, fn: Fn): WgslScope {
  const scope = new WgslScope(env.globals)
  for (const p of fn.params) {
    env.k.at = spanOf(env, p)
    if (!p.name.typeRef) return fail('wgsl.type', 'a parameter needs a type', env.k.at)
    const type = env.typeOf(p.name.typeRef, env.globals)
    const value = builtinOf(p.attributes)
      ? input(env, builtinOf(p.attributes)!, type)
      : fromStruct(env, type, p.name.typeRef)
    scope.define(p.name.decl.ident.originalName, { kind: 'value', value }, env.k.at)
  }
  return scope
}

function builtinOf(attributes: WgslAttributes): string | undefined {
  for (const { attribute: a } of attributes ?? []) if (a.kind === '@builtin') return a.param.name
  return undefined
}

/** A struct whose members carry `@builtin`. */
function fromStruct(env: Env, type: WType, ref: ElemOf<'type'>): WgslValue {
  const decl = type.kind === 'struct' ? env.structOf(type.name) : undefined
  if (type.kind !== 'struct' || !decl)
    return fail('wgsl.entry', 'a parameter of an entry point needs @builtin', spanOf(env, ref))
  const parts = decl.members.flatMap((m, i) => {
    const name = builtinOf(m.attributes) ?? fail('wgsl.entry', `member '${m.name.name}' needs @builtin`, spanOf(env, m))
    return input(env, name, type.members[i]!.type).parts
  })
  return { type, parts }
}

function input(env: Env, name: string, type: WType): WgslValue {
  const parts = partsOf(env, name)
  if (!parts) return fail('wgsl.entry', `'${name}' is no input of a compute shader`, env.k.at)
  const wanted = parts.length === 3 ? vectorType(3, 'u32') : scalar('u32')
  if (partCount(type) !== parts.length || (type.kind !== 'vector' && type.kind !== 'scalar'))
    fail('wgsl.type', `@builtin(${name}) is ${wgslTypeText(wanted)}, not ${wgslTypeText(type)}`, env.k.at)
  return { type: wanted, parts }
}

function partsOf(env: Env, name: string): Operand[] | undefined {
  const { k } = env
  switch (name) {
    case 'local_invocation_id':
      return axes.map((a) => thread(env, a))
    case 'workgroup_id':
      return axes.map((a) => k.builtin(`blockIdx.${a}`))
    case 'num_workgroups':
      return axes.map((a) => k.builtin(`gridDim.${a}`))
    case 'global_invocation_id':
      return axes.map((a, i) =>
        k.apply('add', [k.apply('mul', [k.builtin(`blockIdx.${a}`), constOf('u32', k.block[i]!)]), thread(env, a)]),
      )
    case 'local_invocation_index':
      return [k.builtin('threadRank')]
    case 'subgroup_invocation_id':
      return [k.builtin('lane')]
    case 'subgroup_size':
      return [k.builtin('warpSize')]
    case 'subgroup_id':
      return [k.builtin('warp')]
    case 'num_subgroups':
      return [warps(env)]
    case 'workgroup_index':
      return [blockRank(env)]
    case 'global_invocation_index':
      return [
        k.apply('add', [
          k.apply('mul', [blockRank(env), constOf('u32', k.block[0] * k.block[1] * k.block[2])]),
          k.builtin('threadRank'),
        ]),
      ]
    default:
      return undefined
  }
}

/** An axis of one thread is always 0. */
const thread = (env: Env, axis: Axis): Operand =>
  env.k.block[axes.indexOf(axis)] === 1 ? constOf('u32', 0) : env.k.builtin(`threadIdx.${axis}`)

function warps(env: Env): Operand {
  const { k } = env
  const size = k.builtin('warpSize')
  return k.apply('div', [
    k.apply('sub', [k.apply('add', [constOf('u32', k.block[0] * k.block[1] * k.block[2]), size]), constOf('u32', 1)]),
    size,
  ])
}

function blockRank(env: Env): Operand {
  const { k } = env
  const row = k.apply('add', [
    k.builtin('blockIdx.y'),
    k.apply('mul', [k.builtin('blockIdx.z'), k.builtin('gridDim.y')]),
  ])
  return k.apply('add', [k.builtin('blockIdx.x'), k.apply('mul', [row, k.builtin('gridDim.x')])])
}
