// Running sums, products, least and greatest along an axis. The one idea: everything is rows of a matrix, or columns
// where there are enough of them; few long columns are turned into rows first, and a scan from the end is one of the
// array turned round.
import type { Core } from '../device/core.ts'
import { boxOf, manyColumns, type Box } from '../axis.ts'
import { refuse } from '../error.ts'
import { gather } from '../map/map.ts'
import { recipe } from '../made/scan.made.js'
import { blank, kindOf, sameDevice, type DType, type Shape, type Tensor } from '../tensor.ts'
import { transpose } from '../transpose/transpose.ts'

export interface ScanOptions {
  /** What is run up; `sum` when absent. */
  readonly op?: 'sum' | 'product' | 'min' | 'max'
  /** The axis to go along, from the end when negative; the last when absent. */
  readonly axis?: number
  /** Without the element itself: the first result is 0, 1, the greatest or the least number. */
  readonly exclusive?: boolean
  /** From the end to the start. */
  readonly reverse?: boolean
}

/** The running value of an operation along an axis. The type stays; integers wrap; `min` and `max` pass over NaN. */
export function scan<T extends DType>(core: Core, x: Tensor<T>, options: ScanOptions = {}): Tensor<T> {
  sameDevice(core, [x])
  const { op = 'sum', axis = -1, exclusive = false, reverse = false } = options
  const { box } = boxOf(x.shape, axis, 'scan')
  if (!['sum', 'product', 'min', 'max'].includes(op))
    refuse('scan.op', `there is no scan by '${op}'`, 'sum, product, min or max')
  if (x.length === 0) return blank(core, x.shape, x.dtype)
  const plan = `${op}-${exclusive ? 'exclusive-' : ''}${kindOf(x.dtype)}`
  if (!reverse) return along(x, box, plan).reshaped(x.shape)
  using back = turned(x, box)
  using result = along(back, box, plan)
  return turned(result, box).reshaped(x.shape)
}

/** The axis from its end to its start. */
const turned = <T extends DType>(x: Tensor<T>, [before, n, after]: Box): Tensor<T> =>
  gather(
    x,
    [x.length],
    [
      [after, 1],
      [n, -after],
      [before, n * after],
    ],
    (n - 1) * after,
  )

function along<T extends DType>(x: Tensor<T>, [before, n, after]: Box, plan: string): Tensor<T> {
  if (after === 1) {
    const cut = before < 264 && n >= 1 << 16
    const kind =
      cut && before * n >= 1 << 22 && x.core.tuning !== 'software'
        ? 'long'
        : cut
          ? 'medium'
          : n >= 512
            ? 'rows'
            : 'short'
    return run(x, `${plan}-${kind}`, { n: before, m: n })
  }
  if (before * after >= manyColumns || n < 128) return run(x, `${plan}-columns`, { b: before, n, m: after })
  using matrices = x.reshape([before, n, after])
  using rows = transpose(x.core, matrices, [0, 2, 1])
  using result = along(rows, [before * after, n, 1], plan)
  using scanned = result.reshape([before, after, n])
  return transpose(x.core, scanned, [0, 2, 1])
}

function run<T extends DType>(x: Tensor<T>, plan: string, sizes: Readonly<Record<string, number>>): Tensor<T> {
  const shape: Shape = [x.length]
  const out = blank(x.core, shape, x.dtype)
  x.core.record({
    module: 'scan',
    recipe,
    plan,
    sizes,
    arrays: { x: x.buffer, y: out.buffer },
    cost: { bytes: 2 * x.bytes, flop: x.length },
  })
  return out
}
