// Numbers of any type as i32 in an order where the greatest is what is looked for. In: an array, and which end of it is
// wanted. Out: hooks that make such integers of elements where a kernel loads them, and elements again where it
// stores. The one idea: one kernel of i32 finds the greatest of everything. Where the least is wanted, all bits are
// turned over; unsigned ones have their first bit turned over; bits of floats are in order once those of negative ones
// are turned round, and moved by the 2²³ − 1 patterns of a NaN's fraction they wrap, so that a NaN of either sign is
// beyond everything and is what is found, as in NumPy, by integers alone: no compiler may assume that there is no NaN.
import { kindOf, type Tensor } from '../tensor.ts'
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

type Kind = ReturnType<typeof kindOf>

/** The bits of integers that are turned over. */
const masks = { i32: { min: '0xffffffffu', max: '0u' }, u32: { min: '0x7fffffffu', max: '0x80000000u' } } as const

/** Whether elements are already what a kernel looks for. */
export const isOrdered = (kind: Kind, end: End): boolean => kind === 'i32' && end === 'max'

/** A load of `array` as ordered integers, from `x`. With `first`, all NaN are the same, and so are 0 and −0. */
export function orderedLoad(array: string, x: Tensor, end: End, first = false): Fused {
  const kind = kindOf(x.dtype)
  const functions = widths.map(
    (width) =>
      `fn ordered${width}(x: ${vectorOf(kind, width)}) -> ${vectorOf('i32', width)} {\n` +
      `${kind === 'f32' ? floatKey(end, first, width) : `  return ${masked(kind, end, width, 'x')};\n`}}\n`,
  )
  return {
    hook: {
      array,
      bindings: [{ name: 'h0', buffer: x.memory, typeOf: (width) => vectorOf(kind, width) }],
      fields: [],
      functions: functions.join(''),
      body: (width) => `  return ordered${width}(h0[i]);`,
    },
    key: `ordered ${kind} ${end} ${first}`,
    tensors: [x],
  }
}

const masked = (kind: 'i32' | 'u32', end: End, width: number, x: string): string => {
  const u = vectorOf('u32', width)
  return `bitcast<${vectorOf('i32', width)}>(bitcast<${u}>(${x}) ^ ${u}(${masks[kind][end]}))`
}

function floatKey(end: End, first: boolean, width: number): string {
  const v = vectorOf('i32', width)
  const moved = `${turned('b', width)} ${end === 'min' ? '+' : '-'} ${v}(${shift})`
  return (
    `  let bits = bitcast<${v}>(x);\n` +
    `  let b = ${first ? canonical('bits', width) : 'bits'};\n  return ${end === 'min' ? `~(${moved})` : moved};\n`
  )
}

/** One pattern for NaN, and one for 0. */
function canonical(bits: string, width: number): string {
  const v = vectorOf('i32', width)
  const positive = `(${bits} & ${v}(0x7fffffff))`
  return `select(select(${bits}, ${v}(0x7fc00000), ${positive} > ${v}(0x7f800000)), ${v}(), ${positive} == ${v}())`
}

/** A store of ordered integers to `array`, which holds i32, as the bits of the elements that they were. */
export function orderedStore(array: string, end: End, kind: Kind): Fused {
  const body = (width: number, to: string): string => {
    if (kind !== 'f32') return `  ${to}[i] = ${masked(kind, end, width, 'v')};`
    const v = vectorOf('i32', width)
    return [
      `  let b = ${end === 'min' ? `~v - ${v}(${shift})` : `v + ${v}(${shift})`};`,
      `  ${to}[i] = ${turned('b', width)};`,
    ].join('\n')
  }
  return {
    hook: { array, bindings: [], fields: [], functions: '', body },
    key: `unordered ${kind} ${end}`,
    tensors: [],
  }
}
