// Elementwise expressions, filling and gathering by strides: one kernel, with what is wanted fused into its loads.
import type { Hook } from '../adapt.ts'
import type { Core } from '../core.ts'
import { refuse } from '../error.ts'
import { broadcast, fuse, operandBytes, placeFunction, type Operands } from '../fuse.ts'
import { recipe } from '../made/map.made.js'
import { blank, checkShape, elements, sameDevice, Tensor, type DType, type Shape } from '../tensor.ts'

/**
 * The expression for every element: `map(gpu, 'max(a * x + y, 0)', { a: 2, x, y })`. Tensors (f32) broadcast as in NumPy;
 * numbers are parameters, so that other values compile nothing.
 */
export function map(core: Core, expression: string, operands: Operands): Tensor<'f32'> {
  const tensors = Object.values(operands).filter((x) => x instanceof Tensor)
  if (tensors.length === 0) refuse('map.operands', 'map needs a tensor among its operands', 'use fill for a constant')
  sameDevice(core, tensors)
  return mapInto(core, expression, operands, broadcast(tensors.map((t) => t.shape)))
}

/** A tensor of one value. */
export function fill(core: Core, shape: Shape, value: number): Tensor<'f32'> {
  return mapInto(core, 'value', { value }, checkShape(shape))
}

/** `map` with a result of a given shape, to which all operands broadcast. */
export function mapInto(core: Core, expression: string, operands: Operands, shape: Shape): Tensor<'f32'> {
  const fused = fuse(expression, operands, shape, 'x', null)
  const out = blank(core, shape, 'f32')
  const n = elements(shape)
  if (n === 0) return out
  core.record({
    module: 'map', recipe, plan: 'f32', sizes: { n }, arrays: { x: core.unused, y: out.buffer }, hooks: [fused.hook], hookKey: fused.key,
    cost: { bytes: 4 * n + operandBytes(fused), flop: 0 },
  })
  return out
}

/** Elements of `x` by extents and strides, innermost first, as a dense tensor; any type, bits unchanged. */
export function gather<T extends DType>(x: Tensor<T>, shape: Shape, axes: readonly (readonly [extent: number, stride: number])[]): Tensor<T> {
  const { core } = x
  const out = blank(core, shape, x.dtype)
  const n = elements(shape)
  if (n === 0) return out
  const known = axes.length > 0 ? axes : [[1, 0] as const]
  const hook: Hook = {
    array: 'x', bindings: [{ name: 'h0', buffer: x.buffer, typeOf: () => 'u32' }],
    fields: known.flatMap(([extent, stride], i) => [{ name: `h0_${i}n`, type: 'u32' as const, value: extent }, { name: `h0_${i}s`, type: 'u32' as const, value: stride }]),
    functions: placeFunction('h0', known),
    body: (width) => {
      const lanes = Array.from({ length: width }, (_, k) => `h0[place_h0(i * ${width}u + ${k}u)]`)
      return `  return ${width === 1 ? lanes[0] : `vec${width}<u32>(${lanes.join(', ')})`};`
    },
  }
  core.record({
    module: 'map', recipe, plan: 'u32', sizes: { n }, arrays: { x: core.unused, y: out.buffer }, hooks: [hook],
    hookKey: `gather ${known.map(([, s]) => +(s > 0)).join('')}`, cost: { bytes: 4 * (n + Math.min(n, x.length)), flop: 0 },
  })
  return out
}
