// A tensor seen along one axis: what is before it, its extent, what is after it.
import { refuse } from './error.ts'
import { elements, type Shape } from './tensor.ts'

export type Box = readonly [before: number, n: number, after: number]

/** The axis `axis` (from the end when negative) of `shape` and the box around it. `what`: who asks, for the message. */
export function boxOf(shape: Shape, axis: number, what: string): { readonly at: number; readonly box: Box } {
  const at = axis < 0 ? axis + shape.length : axis
  const n = shape[at]
  if (!Number.isInteger(axis) || n === undefined)
    return refuse(`${what}.axis`, `a tensor of shape [${shape.join(', ')}] has no axis ${axis}`)
  return { at, box: [elements(shape.slice(0, at)), n, elements(shape.slice(at + 1))] }
}

/** Columns from which a thread for each fills a device. */
export const manyColumns = 1 << 14
