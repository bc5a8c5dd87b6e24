// In: subscripts as sums of loop variables, and the memory of an array. Out: closures that give the place of an
// element, or its value. The one idea: nearly all subscripts are a constant and one or two loop variables, and one
// function without calls in it runs several times as fast as closures in closures. `frame` holds the variables; its
// slot 0 is always 0.
import { DiagnosticError, fail, type Span } from '../../base/index.ts'
import type { ArrayDecl } from '../loop/loop.ts'
import type { HostArray } from '../types.ts'

export type Num = () => number

/** Memory of one array while running. `written` marks elements of locals that hold a value. */
export interface Cell {
  readonly decl: ArrayDecl
  readonly extents: readonly number[]
  readonly data: HostArray
  readonly written: Uint8Array | null
}

/** base + factor1 × frame[slot1] + factor2 × frame[slot2] */
export interface Linear {
  readonly base: number
  readonly slot1: number
  readonly factor1: number
  readonly slot2: number
  readonly factor2: number
}

/** Its value. */
export function linearNum(frame: Float64Array, x: Linear): Num {
  const { base, slot1, factor1, slot2, factor2 } = x
  return () => base + factor1 * frame[slot1]! + factor2 * frame[slot2]!
}

export function offset1(frame: Float64Array, x: Linear, n: number, refuse: (values: readonly number[]) => never): Num {
  const { base, slot1, factor1, slot2, factor2 } = x
  return () => {
    const v = base + factor1 * frame[slot1]! + factor2 * frame[slot2]!
    return v >= 0 && v < n ? v : refuse([v])
  }
}

export function offset2(
  frame: Float64Array,
  x: Linear,
  y: Linear,
  extents: readonly number[],
  refuse: (values: readonly number[]) => never,
): Num {
  const n = extents[0]!,
    m = extents[1]!
  const { base: bx, slot1: xs1, factor1: xf1, slot2: xs2, factor2: xf2 } = x
  const { base: by, slot1: ys1, factor1: yf1, slot2: ys2, factor2: yf2 } = y
  return () => {
    const i = bx + xf1 * frame[xs1]! + xf2 * frame[xs2]!,
      j = by + yf1 * frame[ys1]! + yf2 * frame[ys2]!
    return i >= 0 && i < n && j >= 0 && j < m ? i * m + j : refuse([i, j])
  }
}

export function offset3(
  frame: Float64Array,
  x: Linear,
  y: Linear,
  z: Linear,
  extents: readonly number[],
  refuse: (values: readonly number[]) => never,
): Num {
  const n = extents[0]!,
    m = extents[1]!,
    p = extents[2]!
  const { base: bx, slot1: xs1, factor1: xf1, slot2: xs2, factor2: xf2 } = x
  const { base: by, slot1: ys1, factor1: yf1, slot2: ys2, factor2: yf2 } = y
  const { base: bz, slot1: zs1, factor1: zf1, slot2: zs2, factor2: zf2 } = z
  return () => {
    const i = bx + xf1 * frame[xs1]! + xf2 * frame[xs2]!,
      j = by + yf1 * frame[ys1]! + yf2 * frame[ys2]!,
      k = bz + zf1 * frame[zs1]! + zf2 * frame[zs2]!
    return i >= 0 && i < n && j >= 0 && j < m && k >= 0 && k < p ? (i * m + j) * p + k : refuse([i, j, k])
  }
}

/**
 * A read of number elements by one, two or three indices that are each a loop variable and a constant: most reads are,
 * and here they are one function. Undefined for others.
 */
export function shiftedRead(
  frame: Float64Array,
  cell: Cell,
  parts: readonly (Linear | undefined)[],
  refuse: (values: readonly number[]) => never,
): Num | undefined {
  const { extents } = cell,
    memory = cell.data as Float64Array // asked for number types only
  if (!parts.every((p): p is Linear => p !== undefined && (p.factor1 === 1 || p.slot1 === 0) && p.slot2 === 0))
    return undefined // slot 0 holds 0
  const [x, y, z] = parts
  if (!x) return undefined
  const { base: a, slot1: s } = x,
    n = extents[0]!
  if (!y)
    return () => {
      const i = frame[s]! + a
      return i >= 0 && i < n ? memory[i]! : refuse([i])
    }
  const { base: b, slot1: t } = y,
    m = extents[1]!
  if (!z)
    return () => {
      const i = frame[s]! + a,
        j = frame[t]! + b
      return i >= 0 && i < n && j >= 0 && j < m ? memory[i * m + j]! : refuse([i, j])
    }
  const { base: c, slot1: u } = z,
    p = extents[2]!
  if (parts.length > 3) return undefined
  return () => {
    const i = frame[s]! + a,
      j = frame[t]! + b,
      k = frame[u]! + c
    return i >= 0 && i < n && j >= 0 && j < m && k >= 0 && k < p ? memory[(i * m + j) * p + k]! : refuse([i, j, k])
  }
}

/** Says which index of which array is wrong, in the text `where`. */
export function outOfBounds(cell: Cell, values: readonly number[], where: string, at: Span | undefined): never {
  const { decl, extents } = cell
  const shape = extents.length === 0 ? 'no dimension' : extents.join(' × ')
  const isFault = decl.isDerived && values[0]! >= extents[0]! // derived extents have a dimension
  throw new DiagnosticError([
    {
      severity: 'error',
      code: isFault ? 'interpret.derived-extent' : 'interpret.out-of-bounds',
      ...(isFault && { hint: `that length of ${decl.name} is derived, wrongly: declare it, as in ${decl.name}[n]` }),
      message: `index [${values.join(', ')}] is outside ${decl.name}, which has ${shape} elements, in "${where}"`,
      ...(at && { at }),
    },
  ])
}

/** Says which element of a local has no value yet. */
export function uninitialised(cell: Cell, offset: number, where: string, at: Span | undefined): never {
  const index: number[] = []
  for (let d = cell.extents.length - 1, o = offset; d >= 0; d--) {
    index.unshift(o % cell.extents[d]!)
    o = Math.floor(o / cell.extents[d]!)
  }
  const name = index.length === 0 ? cell.decl.name : `${cell.decl.name}[${index.join(', ')}]`
  return fail('interpret.uninitialised', `${name} is read before it is written, in "${where}"`, at)
}
