// Floats as integers in the same order, for kernels that look for the least or greatest. In: an array of f32. Out:
// hooks that turn elements into i32 where a kernel loads them, and back where it stores. The one idea: the bits of
// floats are in order once those of negative ones are turned round; added to the 2²³ − 1 patterns of a NaN's fraction
// they wrap, so that a NaN of either sign is beyond everything and is what is found, as in NumPy, by integers alone:
// no compiler may assume that there is no NaN.
import type { Tensor } from '../tensor.ts'
import type { Fused } from './hooks.ts'
import { vectorOf } from './spelling.ts'

/** What is looked for. */
export type End = 'min' | 'max'

/** So many patterns are NaN of one sign; +∞ (−∞) becomes the greatest (least) i32 by it. */
const shift = '0x7fffff'

const widths = [1, 2, 4]

/** Negative numbers, whose bits grow as they fall, turned round; its own inverse. */
const turned = (bits: string, width: number): string => {
  const v = vectorOf('i32', width)
  return `(${bits} ^ ((${bits} >> ${vectorOf('u32', width)}(31u)) & ${v}(0x7fffffff)))`
}

/** A load of `array` as ordered integers, from `x`. With `first`, all NaN are the same, and so are 0 and −0. */
export function orderedLoad(array: string, x: Tensor, end: End, first = false): Fused {
  const functions = widths.map((width) => {
    const v = vectorOf('i32', width)
    const moved = `${turned('b', width)} ${end === 'min' ? '+' : '-'} ${v}(${shift})`
    return (
      `fn ordered${width}(x: ${vectorOf('f32', width)}) -> ${v} {\n` +
      `  let bits = bitcast<${v}>(x);\n` +
      `  let b = ${first ? canonical('bits', width) : 'bits'};\n  return ${moved};\n}\n`
    )
  })
  return {
    hook: {
      array,
      bindings: [{ name: 'h0', buffer: x.memory, typeOf: (width) => vectorOf('f32', width) }],
      fields: [],
      functions: functions.join(''),
      body: (width) => `  return ordered${width}(h0[i]);`,
    },
    key: `ordered ${end} ${first}`,
    tensors: [x],
  }
}

/** One pattern for NaN, and one for 0. */
function canonical(bits: string, width: number): string {
  const v = vectorOf('i32', width)
  const positive = `(${bits} & ${v}(0x7fffffff))`
  return `select(select(${bits}, ${v}(0x7fc00000), ${positive} > ${v}(0x7f800000)), ${v}(), ${positive} == ${v}())`
}

/** A store of ordered integers to `array` as the floats that they were. */
export function orderedStore(array: string, end: End): Fused {
  const body = (width: number, to: string): string =>
    [
      `  let b = v ${end === 'min' ? '-' : '+'} ${vectorOf('i32', width)}(${shift});`,
      `  ${to}[i] = ${turned('b', width)};`,
    ].join('\n')
  return { hook: { array, bindings: [], fields: [], functions: '', body }, key: `unordered ${end}`, tensors: [] }
}
