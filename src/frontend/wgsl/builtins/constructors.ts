// Value constructors: `vec3f(…)`, `array(…)`, `S(…)`, conversions. In: a type (or a family whose element the arguments
// give) and values. Out: a value. The one idea: everything is a list of scalars in order.
import { fail } from '../../../base/index.ts'
import {
  isAbstract,
  isFloatName,
  matrix,
  partCount,
  scalar,
  wgslTypeText,
  vectorType,
  type ScalarName,
  type WType,
} from '../types/types.ts'
import {
  checkParts,
  coerce,
  convertible,
  convertPart,
  numericName,
  spread,
  widens,
  zero,
  type Builder,
  type WgslValue,
} from '../values.ts'

/** `type(args…)`. Throws `wgsl.type`. */
export function construct(k: Builder, type: WType, args: readonly WgslValue[]): WgslValue {
  if (args.length === 0) return type.kind === 'array' && type.count === null ? refuse(k, type, args) : zero(type, k.at)
  checkParts(type, k.at)
  switch (type.kind) {
    case 'scalar':
      return args.length === 1 && args[0]!.type.kind === 'scalar'
        ? { type, parts: [convertScalar(k, args[0]!, type.name)] }
        : refuse(k, type, args)
    case 'vector':
      return { type, parts: vectorParts(k, type, args) }
    case 'matrix':
      return { type, parts: matrixParts(k, type, args) }
    case 'array':
      return type.count === args.length
        ? { type, parts: args.flatMap((a) => coerce(k, a, type.element, 'an element').parts) }
        : refuse(k, type, args)
    case 'struct':
      if (type.members.length !== args.length) return refuse(k, type, args)
      return { type, parts: type.members.flatMap((m, i) => coerce(k, args[i]!, m.type, `member '${m.name}'`).parts) }
    case 'atomic':
    case 'pointer':
    case 'texture':
    case 'sampler':
    case 'void':
      return refuse(k, type, args)
  }
}

function refuse(k: Builder, type: WType, args: readonly WgslValue[]): never {
  return fail(
    'wgsl.type',
    `${wgslTypeText(type)} cannot be made of (${args.map((a) => wgslTypeText(a.type)).join(', ')})`,
    k.at,
  )
}

/** A written conversion; abstract integers must fit the integer they become. */
function convertScalar(k: Builder, v: WgslValue, to: ScalarName): WgslValue['parts'][number] {
  const from = numericName(v, 'the conversion', k.at)
  if (from === 'abstract-int' && to !== 'bool') return coerce(k, v, scalar(to), 'the value').parts[0]!
  return convertPart(k, v.parts[0]!, to)
}

function vectorParts(
  k: Builder,
  type: Extract<WType, { kind: 'vector' }>,
  args: readonly WgslValue[],
): WgslValue['parts'] {
  if (args.length === 1) {
    const [a] = args
    if (a!.type.kind === 'scalar') return spread(coerce(k, a!, scalar(type.element), 'the argument'), type.size)
    if (a!.type.kind !== 'vector' || a!.type.size !== type.size) return refuse(k, type, args)
    return a!.parts.map((p) =>
      convertScalar(k, { type: scalar(numericName(a!, 'the conversion', k.at)), parts: [p] }, type.element),
    )
  }
  const parts = args.flatMap((a) => {
    if (a.type.kind !== 'scalar' && a.type.kind !== 'vector') return refuse(k, type, args)
    return coerce(
      k,
      a,
      a.type.kind === 'vector' ? vectorType(a.type.size, type.element) : scalar(type.element),
      'a component',
    ).parts
  })
  return parts.length === type.size ? parts : refuse(k, type, args)
}

function matrixParts(
  k: Builder,
  type: Extract<WType, { kind: 'matrix' }>,
  args: readonly WgslValue[],
): WgslValue['parts'] {
  const [a] = args
  if (args.length === 1 && a!.type.kind === 'matrix' && partCount(a!.type) === partCount(type))
    return a!.parts.map((p) => convertPart(k, p, type.element))
  const columns =
    args.every((x) => x.type.kind === 'vector' && x.type.size === type.rows) && args.length === type.columns
  const scalars = args.every((x) => x.type.kind === 'scalar') && args.length === type.columns * type.rows
  if (!columns && !scalars) return refuse(k, type, args)
  return args.flatMap(
    (x) => coerce(k, x, columns ? vectorType(type.rows, type.element) : scalar(type.element), 'a component').parts,
  )
}

/** `vec3(…)`, `mat2x2(…)` or `array(…)` without a type in <…>: the arguments give it. Undefined for other names. */
export function constructInferred(k: Builder, name: string, args: readonly WgslValue[]): WgslValue | undefined {
  const v = /^vec([234])$/.exec(name)
  if (v)
    return construct(
      k,
      vectorType(Number(v[1]), args.length === 0 ? 'abstract-int' : commonElement(k, args, name)),
      args,
    )
  const m = /^mat([234])x([234])$/.exec(name)
  if (m) {
    const found = commonElement(k, args, name)
    const element = found === 'abstract-int' ? 'abstract-float' : found
    return isFloatName(element)
      ? construct(k, matrix(Number(m[1]), Number(m[2]), element), args)
      : fail('wgsl.type', `${name} is made of floats`, k.at)
  }
  if (name !== 'array') return undefined
  if (args.length === 0) return fail('wgsl.type', 'array() needs arguments or a type', k.at)
  const type = args.map((a) => a.type).reduce((a, b) => (convertible(a, b) ? b : a))
  return construct(k, { kind: 'array', element: type, count: args.length }, args)
}

function commonElement(k: Builder, args: readonly WgslValue[], name: string): ScalarName {
  if (args.length === 1) return numericName(args[0]!, name, k.at)
  return args
    .map((a) => numericName(a, name, k.at))
    .reduce((a, b) => {
      if (widens(a, b)) return b
      return widens(b, a) || isAbstract(b)
        ? a
        : fail('wgsl.type', `${name} is given ${a} and ${b}`, k.at, 'convert one of them')
    })
}
