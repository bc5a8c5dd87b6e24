// Elementwise expressions, filling and gathering by strides: one kernel, with what is wanted fused into its loads.
import type { Hook } from '../fusion/adapted-text.ts'
import type { Core } from '../device/core.ts'
import { checkOptions, described } from '../checks.ts'
import { refuse } from '../error.ts'
import {
  broadcast,
  fusedText,
  lanes,
  operandBytes,
  placeFunction,
  floatVector,
  type Fused,
  type Operands,
} from '../fusion/hooks.ts'
import { vectorOf } from '../fusion/spelling.ts'
import { recipe } from '../made/map.made.js'
import { resultOf, type ResultOptions } from '../result.ts'
import { blank, checkShape, checkTensors, kindOf, Tensor, typeFor, type DType, type Shape } from '../tensor.ts'

/**
 * The expression for every element: `map(gpu, 'max(a * x + y, 0)', { a: 2, x, y })`. Tensors are all of f32 and f16
 * (the result is f16 where all of them are), all of i32, or all of u32, and broadcast as in NumPy; numbers are
 * parameters, so that other values compile nothing. `out` may be an operand that has the result's shape.
 */
export function map<const O extends Operands>(
  core: Core,
  expression: string,
  operands: O,
  options: ResultOptions = {},
): Tensor<Mapped<O>> {
  checkOperands(core, 'map', operands)
  checkOptions('map', options, ['out'])
  const tensors = Object.values<Tensor | number>(operands).filter((x) => x instanceof Tensor)
  if (tensors.length === 0) refuse('map.operands', 'map needs a tensor among its operands', 'use fill for a constant')
  const shape = broadcast(tensors.map((t) => t.shape))
  const kind = kindOf(tensors[0]!.dtype) // there is one
  if (tensors.some((t) => kindOf(t.dtype) !== kind))
    refuse(
      'tensor.dtype',
      `the operands of map are of ${[...new Set(tensors.map((t) => t.dtype))].join(' and ')}; they must be of one type`,
      'cast some of them',
    )
  const dtype = kind === 'f32' ? typeFor(tensors) : kind,
    inputs = Object.fromEntries(Object.entries<Tensor | number>(operands).filter(isTensor))
  const isInPlace = (_: string, x: Tensor): boolean => x.shape.join() === shape.join()
  const made = resultOf(core, 'map', options.out, { shape, dtype, inputs, isInPlace }, (to) =>
    mapInto(core, expression, operands, shape, dtype, to),
  )
  return made as Tensor<DType> as Tensor<Mapped<O>> // as typeFor and kindOf say
}

const isTensor = (e: [string, Tensor | number]): e is [string, Tensor] => e[1] instanceof Tensor

/** The type of a result of `map`. */
export type Mapped<O extends Operands> = [O[keyof O]] extends [Tensor<infer T> | number]
  ? [T] extends ['f16' | 'i32' | 'u32']
    ? T
    : 'f32'
  : 'f32'

/** Throws unless operands of an expression are an object of tensors of `core` and numbers. */
export function checkOperands(core: Core, what: string, operands: unknown): void {
  if (typeof operands !== 'object' || operands === null || operands instanceof Tensor || Array.isArray(operands))
    refuse(`${what}.operands`, `the operands of ${what} are an object, not ${described(operands)}`, '{ x, y, a: 2 }')
  checkTensors(core, what, Object.fromEntries(Object.entries(operands).filter(([, x]) => typeof x !== 'number')))
}

/** A tensor of one value. */
export function fill(core: Core, shape: Shape, value: number, options: ResultOptions = {}): Tensor<'f32'> {
  if (typeof value !== 'number') refuse('fill.value', `the value of fill is a number, not ${described(value)}`)
  checkOptions('fill', options, ['out'])
  const making = { shape: checkShape(shape), dtype: 'f32' as const, inputs: {} }
  return resultOf(core, 'fill', options.out, making, (to) => mapInto(core, 'value', { value }, making.shape, 'f32', to))
}

/** Up to this many elements there are fewer blocks than the walking plan has. */
const fewest = 1 << 18
const planOf = (core: Core, type: 'f32' | 'u32', n: number): string =>
  `${type}${core.pick('map', [n], n <= fewest ? ['-short', ''] : ['', '-short'], '-short')}`

/** Records what hooks compute of every element of `out`, in words of `type`; `bytes` are moved for it. */
function compute(
  out: Tensor,
  type: 'f32' | 'u32',
  hooks: readonly Hook[],
  hookKey: string,
  bytes: number,
  flop = 0,
): void {
  const { core, length: n } = out
  if (n > 0)
    core.record({
      module: 'map',
      recipe,
      plan: planOf(core, type, n),
      sizes: { n },
      arrays: { x: core.unused, y: out.memory },
      hooks,
      hookKey,
      cost: { bytes: out.bytes + bytes, flop },
    })
}

/** Records what a hook computes of every element of `out` from those of `x`, in words of `type`. */
export const computed = (out: Tensor, type: 'f32' | 'u32', hooks: readonly Hook[], hookKey: string, x: Tensor): void =>
  compute(out, type, hooks, hookKey, x.bytes)

/** A tensor of zeros of any type. */
export function zeros<T extends DType>(core: Core, shape: Shape, dtype: T, to?: Tensor<T>): Tensor<T> {
  const out = to ?? blank(core, shape, dtype)
  compute(
    out,
    'u32',
    [
      {
        array: 'x',
        bindings: [],
        fields: [],
        functions: '',
        body: (width) => `  return ${lanes(width, 'u32', () => '0u')};`,
      },
    ],
    'zeros',
    0,
  )
  return out
}

/** `map` with a result of a given shape, to which all operands broadcast; computed in the type of the result. */
export function mapInto<T extends DType = 'f32'>(
  core: Core,
  expression: string,
  operands: Operands,
  shape: Shape,
  dtype: T = 'f32' as T, // f32 when nothing else is said
  to?: Tensor<T>,
): Tensor<T> {
  const kind = kindOf(dtype),
    fused = fusedText(expression, operands, shape, 'x', null, kind, to && { array: 'y', memory: to.memory })
  const out = to ?? blank(core, shape, dtype)
  compute(out, kind === 'f32' ? 'f32' : 'u32', [fused.hook], fused.key, operandBytes(fused))
  return out
}

/** Values of another type: floats are cut off towards 0 and end where integers do (NaN is 0), integers wrap. */
export function converted<T extends DType>(x: Tensor, dtype: T, to?: Tensor<T>): Tensor<T> {
  const from = kindOf(x.dtype),
    kind = kindOf(dtype)
  if (from === kind) return mapInto(x.core, 'x', { x }, x.shape, dtype, to) // floats
  const out = to ?? blank(x.core, x.shape, dtype)
  const hook: Hook = {
    array: 'x',
    bindings: [{ name: 'h0', buffer: x.memory, typeOf: (width) => vectorOf(from, width) }],
    fields: [],
    functions: kind === 'f32' ? '' : cutOff(kind),
    body: (width) => (kind === 'f32' ? `  return ${vectorOf('f32', width)}(h0[i]);` : `  return cut${width}(h0[i]);`),
  }
  compute(out, kind === 'f32' ? 'f32' : 'u32', [hook], `${from} to ${kind}`, x.bytes)
  return out
}

/** The least and greatest numbers of f32 that integers have, and what is beyond. */
const ends = {
  i32: { least: '-2147483648.0', most: '2147483520.0', over: '0x7fffffffi' },
  u32: { least: '0.0', most: '4294967040.0', over: '0xffffffffu' },
} as const

/** Functions from f32 to the bits of an integer, by width. */
const cutOff = (to: 'i32' | 'u32'): string =>
  [1, 2, 4]
    .map((width) => {
      const [v, t, u] = [vectorOf('f32', width), vectorOf(to, width), vectorOf('u32', width)]
      const { least, most, over } = ends[to]
      return (
        `fn cut${width}(x: ${v}) -> ${u} {\n` +
        `  let inside = ${t}(clamp(x, ${v}(${least}), ${v}(${most})));\n` +
        `  let none = (bitcast<${u}>(x) & ${u}(0x7fffffff)) > ${u}(0x7f800000);\n` +
        `  return bitcast<${u}>(select(select(inside, ${t}(${over}), x > ${v}(${most})), ${t}(), none));\n}\n`
      )
    })
    .join('')

/**
 * Elements of `x` from the one at `from`, by extents and strides (of any sign), innermost first, as a dense tensor; any
 * type, bits unchanged.
 */
export function gather<T extends DType>(
  x: Tensor<T>,
  shape: Shape,
  axes: readonly (readonly [extent: number, stride: number])[],
  from = 0,
  to?: Tensor<T>,
): Tensor<T> {
  const out = to ?? blank(x.core, shape, x.dtype)
  const known = axes.length > 0 ? axes : [[1, 0] as const]
  const hook: Hook = {
    array: 'x',
    bindings: [{ name: 'h0', buffer: x.memory, typeOf: () => 'u32' }],
    fields: [
      ...known.flatMap(([extent, stride], i) => [
        { name: `h0_${i}n`, type: 'u32' as const, value: extent },
        { name: `h0_${i}s`, type: 'u32' as const, value: stride },
      ]),
      ...(from > 0 ? [{ name: 'h0_from', type: 'u32' as const, value: from }] : []),
    ],
    functions: placeFunction('h0', known),
    body: (width) =>
      `  return ` +
      `${lanes(width, 'u32', (k) => `h0[${from > 0 ? 'params.h0_from + ' : ''}place_h0(i * ${width}u + ${k}u)]`)};`,
  }
  compute(
    out,
    'u32',
    [hook],
    `gather ${known.map(([, s]) => +(s !== 0)).join('')} ${from > 0}`,
    Math.min(out.bytes, x.bytes),
  )
  return out
}

/** Matrices [b, rows, columns] set into larger ones, zeros around. */
export function padded(
  x: Tensor,
  b: number,
  [rows, columns]: readonly [number, number],
  [toRows, toColumns]: readonly [number, number],
): Tensor<'f32'> {
  const out = blank(x.core, [b, toRows, toColumns], 'f32')
  place(
    x,
    out,
    'select(0.0, p0[(b * params.p0r + r) * params.p0c + c], r < params.p0r && c < params.p0c)',
    [rows, columns],
    [toRows, toColumns],
    null,
  )
  return out
}

/** The inverse, into `out` [b, rows, columns], with what is fused into its store. */
export function crop(
  x: Tensor,
  out: Tensor,
  from: readonly [number, number],
  [rows, columns]: readonly [number, number],
  end: Fused | null,
): void {
  place(x, out, 'p0[(b * params.p0r + r) * params.p0c + c]', from, [rows, columns], end)
}

/** The sum of element i of each slice of an array, `arrayn` elements apart; `width` of them are one here. */
export const summed = (array: string, count: number, width: number): string =>
  Array.from({ length: count }, (_, s) => `${array}[i + ${s}u * (params.${array}n / ${width}u)]`).join(' + ')

/** Records a hook on the loads from `x`, and what is fused into the stores. */
const ended = (out: Tensor, hook: Hook, key: string, end: Fused | null, x: Tensor, flop = 0): void =>
  compute(
    out,
    'f32',
    [hook, ...(end ? [end.hook] : [])],
    `${key} ${end?.key}`,
    x.bytes + (end ? operandBytes(end) : 0),
    flop,
  )

/** Slices of `x`, each as large as `out`, added up, with what is fused into the store. */
export function addSlices(x: Tensor, out: Tensor, count: number, end: Fused | null): void {
  const hook: Hook = {
    array: 'x',
    bindings: [{ name: 'p0', buffer: x.memory, typeOf: floatVector }],
    fields: [{ name: 'p0n', type: 'u32', value: out.length }],
    functions: '',
    body: (width) => `  return ${summed('p0', count, width)};`,
  }
  ended(out, hook, `slices ${count}`, end, x, x.length)
}

/** Writes every element (b, r, c) of `out` by an expression over `p0`, the elements of x, and its extents. */
function place(
  x: Tensor,
  out: Tensor,
  text: string,
  [rows, columns]: readonly [number, number],
  [toRows, toColumns]: readonly [number, number],
  end: Fused | null,
): void {
  ended(
    out,
    {
      array: 'x',
      bindings: [{ name: 'p0', buffer: x.memory, typeOf: () => 'f32' }],
      fields: Object.entries({ p0r: rows, p0c: columns, p0m: toRows, p0n: toColumns }).map(([name, value]) => ({
        name,
        type: 'u32',
        value,
      })),
      functions:
        `fn place_p0(e: u32) -> f32 {\n  let c = e % params.p0n;\n  let r = e / params.p0n % params.p0m;\n  let ` +
        `b = e / params.p0n / params.p0m;\n  return ${text};\n}\n`,
      body: (width) => `  return ${lanes(width, 'f32', (k) => `place_p0(i * ${width}u + ${k}u)`)};`,
    },
    `place ${text}`,
    end,
    x,
  )
}
