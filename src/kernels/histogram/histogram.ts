// How many elements fall into each of equal bins, or have each label. The one idea: the kernel counts integer parts;
// what makes a bin's number of an element is fused into its loads.
import type { Core } from '../device/core.ts'
import { checkOptions, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { fusedText } from '../fusion/hooks.ts'
import { recipe } from '../made/histogram.made.js'
import { zeros } from '../map/map.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import { checkTensors, kindOf, type DType, type Tensor } from '../tensor.ts'

export interface HistogramOptions extends ResultOptions {
  /** Number of bins. */
  readonly bins: number
  /** Of f32: from the first to the last value that counts, both included. Integers are the numbers of their bins. */
  readonly range?: readonly [least: number, greatest: number]
}

/**
 * Counts, [bins], as u32. Bins are equal parts of `range` and hold their lower end, the last one both ends; elements
 * outside, and NaN, are passed over. A bin's number is computed in f32.
 */
export function histogram(core: Core, x: Tensor<DType>, options: HistogramOptions): Tensor<'u32'> {
  checkTensors(core, 'histogram', { x })
  checkOptions('histogram', options, ['bins', 'range', 'out'])
  const { bins, range } = options
  if (!Number.isInteger(bins) || bins < 1 || bins > 2 ** 24)
    refuse('histogram.bins', `a histogram has 1 to 16777216 bins, not ${described(bins)}`)
  if (kindOf(x.dtype) === 'f32' ? !isRange(range) || !usable(bins, range) : range !== undefined) {
    refuse(
      'histogram.range',
      kindOf(x.dtype) === 'f32'
        ? 'a histogram of f32 needs a range of two numbers, the first the smaller, and bins that f32 can tell apart'
        : `a tensor of ${x.dtype} holds the numbers of its bins: it takes no range`,
    )
  }
  const making = { shape: [bins], dtype: 'u32' as const, inputs: { x } }
  return resultOf(core, 'histogram', options.out, making, (to) => counted(x, zeros(core, [bins], 'u32', to), range))
}

/** Records the counts, to `h`, which is zeros. */
function counted(x: Tensor, h: Tensor<'u32'>, range: HistogramOptions['range']): Tensor<'u32'> {
  const { core, length: n } = x,
    bins = h.length
  if (n === 0) return h
  const count = bins <= 512 ? 'few' : bins <= 4096 ? 'some' : 'many'
  const isShort = n < 1 << 20 || core.tuning === 'software'
  const kind = `${count}${isShort ? '-short' : ''}`
  const end = range ? binning(x as Tensor<'f32'>, bins, range) : null // ranges are of f32
  core.record({
    module: 'histogram',
    recipe,
    plan: `${kindOf(x.dtype)}-${kind}`,
    sizes: { n, m: bins },
    arrays: { x: end ? core.unused : x.memory, h: h.memory },
    cost: { bytes: 4 * (n + bins), flop: 0 },
    ...(end && { hooks: [end.hook], hookKey: end.key }),
  })
  return h
}

const isRange = (range: unknown): range is readonly [number, number] =>
  Array.isArray(range) && range.length === 2 && range.every((x) => typeof x === 'number')

/** Whether f32 has the ends of a range, its width, and a width of bins. */
const usable = (bins: number, [least, greatest]: readonly [number, number]): boolean => {
  // three
  const [from, to, scale] = [least, greatest, bins / (greatest - least)].map(Math.fround) as [number, number, number]
  return from < to && Number.isFinite(Math.fround(to - from)) && scale >= 2 ** -126 && Number.isFinite(scale)
}

/** The number of an element's bin, as a number of that integer part; −1 outside. */
const binning = (
  x: Tensor<'f32'>,
  bins: number,
  [least, greatest]: readonly [number, number],
): ReturnType<typeof fusedText> =>
  fusedText(
    'x >= least && x <= greatest ? min((x - least) * scale, last) : -1',
    { x, least, greatest, scale: bins / (greatest - least), last: bins - 1 },
    [x.length],
    'x',
    null,
  )
