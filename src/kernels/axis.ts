// A tensor seen along one axis: what is before it, its extent, what is after it.
import { axisFrom } from './checks.ts'
import { elements, type Shape } from './tensor.ts'

export type Box = readonly [before: number, n: number, after: number]

/** One axis, from the end when negative; `axes` is another name for it. */
export interface AxisOptions {
  readonly axis?: number
  readonly axes?: number | readonly [number]
}

/** The axis that options name (`otherwise` when none is) and the box around it. `what`: who asks, for the message. */
export function boxOf(
  shape: Shape,
  options: AxisOptions,
  what: string,
  otherwise?: number,
): { readonly at: number; readonly box: Box } {
  const at =
    axisFrom(what, `${what}.axis`, shape, options) ?? axisFrom(what, `${what}.axis`, shape, { axis: otherwise })
  if (at === undefined) return { at: -1, box: [1, elements(shape), 1] }
  return { at, box: [elements(shape.slice(0, at)), shape[at] ?? 1, elements(shape.slice(at + 1))] }
}

/** Columns from which a thread for each fills a device. */
export const manyColumns = 1 << 14
