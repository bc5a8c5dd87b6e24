// Elementwise expressions, filling and gathering by strides: one kernel, with what is wanted fused into its loads.
import type { Hook } from '../fusion/adapted-text.ts'
import type { Core } from '../device/core.ts'
import { refuse } from '../error.ts'
import {
  broadcast,
  fuse,
  lanes,
  operandBytes,
  placeFunction,
  vector,
  type Fused,
  type Operands,
} from '../fusion/hooks.ts'
import { recipe } from '../made/map.made.js'
import { blank, checkShape, sameDevice, Tensor, typeFor, type DType, type Shape } from '../tensor.ts'

/**
 * The expression for every element, f16 where all tensors are: `map(gpu, 'max(a * x + y, 0)', { a: 2, x, y })`. Tensors
 * (f32) broadcast as in NumPy; numbers are parameters, so that other values compile nothing.
 */
export function map<const O extends Operands>(core: Core, expression: string, operands: O): Tensor<Mapped<O>> {
  const tensors = Object.values<Tensor | number>(operands).filter((x) => x instanceof Tensor)
  if (tensors.length === 0) refuse('map.operands', 'map needs a tensor among its operands', 'use fill for a constant')
  sameDevice(core, tensors)
  return mapInto(core, expression, operands, broadcast(tensors.map((t) => t.shape)), typeFor(tensors)) as Tensor<
    Mapped<O>
  > // as typeFor says
}

/** The type of a result of `map`. */
export type Mapped<O extends Operands> = [O[keyof O]] extends [Tensor<'f16'> | number] ? 'f16' : 'f32'

/** A tensor of one value. */
export function fill(core: Core, shape: Shape, value: number): Tensor<'f32'> {
  return mapInto(core, 'value', { value }, checkShape(shape))
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
      arrays: { x: core.unused, y: out.buffer },
      hooks,
      hookKey,
      cost: { bytes: out.bytes + bytes, flop },
    })
}

/** A tensor of zeros of any type. */
export function zeros<T extends DType>(core: Core, shape: Shape, dtype: T): Tensor<T> {
  const out = blank(core, shape, dtype)
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

/** `map` with a result of a given shape, to which all operands broadcast. */
export function mapInto<T extends 'f32' | 'f16' = 'f32'>(
  core: Core,
  expression: string,
  operands: Operands,
  shape: Shape,
  dtype: T = 'f32' as T,
): Tensor<T> {
  // f32 when nothing else is said
  const fused = fuse(expression, operands, shape, 'x', null)
  const out = blank(core, shape, dtype)
  compute(out, 'f32', [fused.hook], fused.key, operandBytes(fused))
  return out
}

/**
 * Elements of `x` from the one at `from`, by extents and strides (of any sign), innermost first, as a dense tensor; any
 * type, bits unchanged.
 */
export function gather<T extends DType>(
  x: Tensor<T>,
  shape: Shape,
  axes: readonly (readonly [extent: number, stride: number])[],
  from = 0,
): Tensor<T> {
  const out = blank(x.core, shape, x.dtype)
  const known = axes.length > 0 ? axes : [[1, 0] as const]
  const hook: Hook = {
    array: 'x',
    bindings: [{ name: 'h0', buffer: x.buffer, typeOf: () => 'u32' }],
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
    bindings: [{ name: 'p0', buffer: x.buffer, typeOf: vector }],
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
      bindings: [{ name: 'p0', buffer: x.buffer, typeOf: () => 'f32' }],
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
