// Running sums, products, least and greatest along an axis. The one idea: everything is rows of a matrix, or columns
// where there are enough of them; few long columns are turned into rows first, and a scan from the end is one of the
// array turned round.
import type { Core } from '../device/core.ts'
import { boxOf, manyColumns, type AxisOptions, type Box } from '../axis.ts'
import { checkFlags, checkOptions, checkWord } from '../checks.ts'
import { isOrdered, orderedLoad, orderedStore, type End } from '../fusion/ordered-bits.ts'
import { gather } from '../map/map.ts'
import { recipe } from '../made/scan.made.js'
import { resultOf, type ResultOptions } from '../result.ts'
import { blank, checkTensors, kindOf, type DType, type Tensor } from '../tensor.ts'
import { reordered } from '../transpose/transpose.ts'

/** The axis to go along is the last when absent. */
export interface ScanOptions extends AxisOptions, ResultOptions {
  /** What is run up; `sum` when absent. */
  readonly op?: 'sum' | 'product' | 'min' | 'max'
  /** Without the element itself: the first result is 0, 1, the greatest or the least number. */
  readonly exclusive?: boolean
  /** From the end to the start. */
  readonly reverse?: boolean
}

/** The running value of an operation along an axis. The type stays; integers wrap; after a NaN all are NaN. */
export function scan<T extends DType>(core: Core, x: Tensor<T>, options: ScanOptions = {}): Tensor<T> {
  checkTensors(core, 'scan', { x })
  checkOptions('scan', options, ['op', 'axis', 'axes', 'exclusive', 'reverse', 'out'])
  const { op = 'sum', exclusive = false, reverse = false } = options
  checkWord('scan', 'op', op, ['sum', 'product', 'min', 'max'])
  checkFlags('scan', { exclusive, reverse })
  const { box } = boxOf(x.shape, options, 'scan', -1)
  const kind = kindOf(x.dtype),
    end = op === 'min' || op === 'max' ? op : null
  const plan = {
    key: `${end ? 'max' : op}-${exclusive ? 'exclusive-' : ''}${end ? 'i32' : kind}`,
    ordered: end && !isOrdered(kind, end) ? end : null,
  }
  const { shape, dtype } = x
  return resultOf(core, 'scan', options.out, { shape, dtype, inputs: { x } }, (to) => {
    if (x.length === 0) return to ?? blank(core, shape, dtype)
    if (!reverse) return along(x, box, plan, to).reshaped(shape)
    using back = turned(x, box)
    using result = along(back, box, plan)
    return turned(result, box, to).reshaped(shape)
  })
}

/** The axis from its end to its start. */
const turned = <T extends DType>(x: Tensor<T>, [before, n, after]: Box, to?: Tensor<T>): Tensor<T> =>
  gather(
    x,
    [x.length],
    [
      [after, 1],
      [n, -after],
      [before, n * after],
    ],
    (n - 1) * after,
    to,
  )

/** The beginning of a plan's name; whether elements are scanned as integers in their order. */
interface Plan {
  readonly key: string
  readonly ordered: End | null
}

function along<T extends DType>(x: Tensor<T>, [before, n, after]: Box, plan: Plan, to?: Tensor<T>): Tensor<T> {
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
    return run(x, plan, kind, { n: before, m: n }, to)
  }
  if (before * after >= manyColumns || n < 128) return run(x, plan, 'columns', { b: before, n, m: after }, to)
  using matrices = x.reshape([before, n, after])
  using rows = reordered(matrices, [0, 2, 1])
  using result = along(rows, [before * after, n, 1], plan)
  using scanned = result.reshape([before, after, n])
  return reordered(scanned, [0, 2, 1], to)
}

function run<T extends DType>(
  x: Tensor<T>,
  { key, ordered }: Plan,
  kind: string,
  sizes: Readonly<Record<string, number>>,
  to?: Tensor<T>,
): Tensor<T> {
  const fused = ordered ? [orderedLoad('x', x as Tensor, ordered), orderedStore('y', ordered, kindOf(x.dtype))] : []
  const out = to ?? blank(x.core, [x.length], x.dtype)
  x.core.record({
    module: 'scan',
    recipe,
    plan: `${key}-${kind}`,
    sizes,
    arrays: { x: ordered ? x.core.unused : x.memory, y: out.memory },
    cost: { bytes: 2 * x.bytes, flop: x.length },
    ...(fused.length > 0 && { hooks: fused.map((f) => f.hook), hookKey: fused.map((f) => f.key).join() }),
  })
  return out
}
