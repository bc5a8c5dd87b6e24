// Convolutions of images and signals [n, channels, …] (correlations, as neural networks have them). The one idea: where
// every channel has a window of its own, each plane is a stencil; where channels are added up, the sum over channels
// and window is a product of matrices whose right factor is gathered from the image as it is loaded, and is never
// stored.
import { activated, type Activation } from '../fusion/activation.ts'
import type { Core } from '../device/core.ts'
import { checkNumber, checkOptions, checkWord, described } from '../checks.ts'
import { refuse } from '../error.ts'
import { fusedText, type Fused } from '../fusion/hooks.ts'
import { recipe as linesRecipe } from '../made/lines.made.js'
import { recipe as planesRecipe } from '../made/planes.made.js'
import { mapInto, padded } from '../map/map.ts'
import { resultOf, type ResultOptions } from '../result.ts'
import {
  blank,
  checkTensors,
  elements,
  floating,
  typeFor,
  type DType,
  type Product,
  type Shape,
  type Tensor,
} from '../tensor.ts'
import { reordered } from '../transpose/transpose.ts'
import { channelsLast } from './channels.ts'
import { convolutionCost, type Convolution } from './geometry.ts'
import { productOfPatches } from './product.ts'
import { unfolded } from './unfold.ts'
import { lines, squares } from './windows.ts'

export interface ConvOptions extends ResultOptions {
  /** Steps between outputs, of rows and of columns where they differ; 1 when absent. */
  readonly stride?: number | readonly [number, number]
  /**
   * Zeros around the image, above and beside it; `same`: as many as keep the extents when the stride is 1. 0 when
   * absent.
   */
  readonly padding?: 'same' | number | readonly [number, number]
  /** Steps between elements of the window; 1 when absent. */
  readonly dilation?: number | readonly [number, number]
  /** Groups of channels that are convolved apart; 1 when absent. As many as channels: depthwise. */
  readonly groups?: number
  /** Added to every output channel: [channels]. */
  readonly bias?: Tensor
  readonly activation?: Activation
  /** How things lie: `nchw` when absent, as PyTorch has them; `nhwc`: channels together, as TensorFlow has them. */
  readonly layout?: 'nchw' | 'nhwc'
}

/**
 * Images [n, channels, rows, columns] with windows [outputs, channels ÷ groups, rows, columns], f32 (f16 where image
 * and windows are): [n, outputs, …]; or (`layout: 'nhwc'`) [n, rows, columns, channels] with [rows, columns, channels ÷
 * groups, outputs]: [n, …, outputs]. Windows are not turned round. Throws when channels and groups do not fit.
 */
export function conv2d<A extends DType, B extends DType>(
  core: Core,
  x: Tensor<A>,
  w: Tensor<B>,
  options: ConvOptions = {},
): Tensor<Product<A, B>> {
  return convolved('conv2d', core, x, w, options) as Tensor<Product<A, B>> // as typeFor says
}

const optionNames = [
  'stride',
  'padding',
  'dilation',
  'groups',
  'bias',
  'activation',
  'layout',
  'out',
] satisfies readonly (keyof ConvOptions)[]

/** `shapeOf`: the shape of the result that the caller sees, of the four axes of this one. */
function convolved(
  what: string,
  core: Core,
  x: Tensor,
  w: Tensor,
  options: ConvOptions,
  shapeOf = (shape: Shape): Shape => shape,
): Tensor<'f32' | 'f16'> {
  checkTensors(core, what, { x, w })
  checkOptions(what, options, optionNames)
  const { bias, out } = options
  if (bias !== undefined) checkTensors(core, what, { bias })
  // as it broadcasts to the result
  using spread =
    bias && options.layout !== 'nhwc' && bias.shape.length === 1 ? bias.reshape([bias.length, 1, 1]) : undefined
  const full = spread ? { ...options, bias: spread } : options,
    v = checked(what, core, x, w, full)
  const dtype = typeFor([x, w]),
    shape = shapeOf(v.shape)
  return resultOf(core, what, out, { shape, dtype, inputs: { x, w, bias } }, (to) => {
    const y = to?.reshape(v.shape) ?? blank(core, v.shape, dtype)
    compute({ ...v, out: y }, full)
    return y.reshaped(shape)
  })
}

/** Records the convolution to `v.out`. */
function compute(v: Convolution, options: ConvOptions): void {
  if (v.out.length === 0) return
  if (v.r * v.s * v.c === 0 || v.x.length === 0) withoutSum(v, options)
  else if (isPlane(v) && (v.last || asLines(v) || asPlanes(v))) {
    if (v.last) turnedRound(v, options)
  } else if (v.last) channelsLast(v)
  else if (!unfolded(v)) productOfPatches(v)
}

/** A window for every channel, by planes. */
function turnedRound(v: Convolution, options: ConvOptions): void {
  using planes = reordered(v.x, [0, 3, 1, 2])
  using windows = reordered(v.w, [3, 2, 0, 1])
  const { out: _, ...rest } = options
  using result = convolved('conv2d', v.core, planes, windows, { ...rest, layout: 'nchw' })
  using to = v.out.reshape([v.out.length])
  reordered(result, [0, 2, 3, 1], to).dispose()
}

/**
 * Signals [n, channels, length] with windows [outputs, channels ÷ groups, width]: [n, outputs, …]; or (`layout:
 * 'nhwc'`) [n, length, channels] with [width, channels ÷ groups, outputs]. As `conv2d`.
 */
export function conv1d<A extends DType, B extends DType>(
  core: Core,
  x: Tensor<A>,
  w: Tensor<B>,
  options: Omit<ConvOptions, 'stride' | 'padding' | 'dilation'> & {
    readonly stride?: number
    readonly padding?: 'same' | number
    readonly dilation?: number
  } = {},
): Tensor<Product<A, B>> {
  checkTensors(core, 'conv1d', { x, w })
  checkOptions('conv1d', options, optionNames)
  const { stride = 1, padding = 0, dilation = 1, ...rest } = options,
    last = rest.layout === 'nhwc'
  if (x.shape.length !== 3 || w.shape.length !== 3)
    refuse(
      'conv1d.shape',
      `conv1d takes a signal ${last ? '[n, length, channels]' : '[n, channels, length]'} and windows ` +
        `${last ? '[width, channels, outputs]' : '[outputs, channels, width]'}, not [${x.shape.join(', ')}] ` +
        `and [${w.shape.join(', ')}]`,
    )
  const [n = 0, c = 0, l = 0] = x.shape,
    [o = 0, i = 0, s = 0] = w.shape
  using image = x.reshape(last ? [n, 1, c, l] : [n, c, 1, l])
  using window = w.reshape(last ? [1, o, i, s] : [o, i, 1, s])
  for (const [name, value] of Object.entries({ stride, dilation, ...(padding !== 'same' && { padding }) }))
    if (typeof value !== 'number') refuse('conv1d.options', `'${name}' of conv1d is a number, not ${described(value)}`)
  const line = {
    ...rest,
    stride: [1, stride] as const,
    padding: padding === 'same' ? padding : ([0, padding] as const),
    dilation: [1, dilation] as const,
  }
  const shapeOf = ([, rows = 0, columns = 0, deep = 0]: Shape): Shape => [n, last ? columns : rows, deep] // one is 1
  // as typeFor says
  return convolved('conv1d', core, image, window, line, shapeOf) as Tensor<DType> as Tensor<Product<A, B>>
}

/** A number for both axes, or one for each; integers from `least`. */
function pairOf(what: string, name: string, given: unknown, least: number): readonly [number, number] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given, given]
  const right = (x: unknown): x is number => typeof x === 'number' && Number.isSafeInteger(x) && x >= least
  const [first, second] = list
  if (list.length === 2 && right(first) && right(second)) return [first, second]
  const or = name === 'padding' ? ", or 'same'" : ''
  return refuse(
    `${what}.options`,
    `'${name}' of ${what} is an integer from ${least} or two of them${or}, not ` +
      `${Array.isArray(given) ? `[${given.map(described).join(', ')}]` : described(given)}`,
  )
}

function checked(
  what: string,
  core: Core,
  x: Tensor,
  w: Tensor,
  { stride = 1, padding = 0, dilation = 1, groups = 1, bias, activation = 'none', layout = 'nchw' }: ConvOptions,
): Omit<Convolution, 'out'> & { readonly shape: Shape } {
  const last = layout === 'nhwc'
  checkWord(what, 'layout', layout, ['nchw', 'nhwc'])
  floating(what, { image: x, window: w })
  for (const [name, t] of [
    ['image', x],
    ['window', w],
  ] as const) {
    if (t.shape.length !== 4)
      refuse(
        `${what}.shape`,
        `the ${name} of ${what} has the shape [${t.shape.join(', ')}]; it needs four axes`,
        name === 'image'
          ? last
            ? '[n, rows, columns, channels]'
            : '[n, channels, rows, columns]'
          : last
            ? '[rows, columns, channels ÷ groups, outputs]'
            : '[outputs, channels ÷ groups, rows, columns]',
      )
  }
  const order = (shape: Shape, axes: readonly number[]): readonly [number, number, number, number] =>
    axes.map((a) => shape[a]) as never // four axes each
  const [n, c, h, width] = order(x.shape, last ? [0, 3, 1, 2] : [0, 1, 2, 3]),
    [o, i, r, s] = order(w.shape, last ? [3, 2, 0, 1] : [0, 1, 2, 3])
  const steps = pairOf(what, 'stride', stride, 1),
    apart = pairOf(what, 'dilation', dilation, 1)
  checkNumber(what, 'groups', groups, 1)
  if (c !== i * groups || o % groups !== 0)
    refuse(
      `${what}.channels`,
      `windows [${w.shape.join(', ')}] in ${groups} ${groups === 1 ? 'group' : 'groups'} do not fit an image ` +
        `of ${c} channels`,
      'windows have channels ÷ groups channels, and groups divides the outputs',
    )
  if (bias && bias.shape.join() !== (last ? [o] : [o, 1, 1]).join())
    refuse(
      `${what}.bias`,
      `a bias has the shape [${o}], not [${bias.shape.length === 3 ? bias.length : bias.shape.join(', ')}]`,
    )
  const reach = [apart[0] * (r - 1) + 1, apart[1] * (s - 1) + 1] as const
  const around = aroundOf(what, padding, reach)
  const extent = (size: number, [low, high]: readonly [number, number], over: number, step: number): number => {
    if (size > 0 && over > size + low + high)
      refuse(
        `${what}.window`,
        `a window that reaches over ${over} elements is larger than the image, which has ${size + low + high} ` +
          `with its padding: [${w.shape.join(', ')}] on [${x.shape.join(', ')}]`,
        'pad the image, or take a smaller window or dilation',
      )
    return Math.max(0, Math.floor((size + low + high - over) / step) + 1)
  }
  const p = extent(h, around[0], reach[0], steps[0]),
    q = extent(width, around[1], reach[1], steps[1])
  const shape: Shape = last ? [n, p, q, o] : [n, o, p, q]
  const end = ending(shape, bias, activation)
  end('y') // refuses what is wrong before anything is made
  return {
    core,
    x,
    w,
    n,
    c,
    h,
    width,
    o,
    r,
    s,
    p,
    q,
    top: around[0][0],
    left: around[1][0],
    stride: steps,
    dilation: apart,
    groups,
    last,
    shape,
    end,
  }
}

/** Zeros before and after the image's rows and columns, under a window that reaches so far. */
function aroundOf(
  what: string,
  padding: NonNullable<ConvOptions['padding']>,
  reach: readonly [number, number],
): readonly [readonly [number, number], readonly [number, number]] {
  if (padding === 'same') {
    const [rows, columns] = reach
    return [
      [Math.floor((rows - 1) / 2), Math.ceil((rows - 1) / 2)],
      [Math.floor((columns - 1) / 2), Math.ceil((columns - 1) / 2)],
    ]
  }
  const [above, beside] = pairOf(what, 'padding', padding, 0)
  return [
    [above, above],
    [beside, beside],
  ]
}

/** Bias and activation, fused into a store. */
function ending(shape: Shape, bias: Tensor | undefined, activation: Activation): Convolution['end'] {
  const text = activated(activation, bias ? 'x + bias' : 'x', bias ? ['bias'] : [])
  return (array) => (text === 'x' ? null : fusedText(text, bias ? { bias } : {}, shape, array, 'x'))
}

/** No element is under any window: bias and activation alone. */
function withoutSum({ core, out }: Convolution, { bias, activation = 'none' }: ConvOptions): void {
  const text = activated(activation, bias ? '0 + bias' : 'zero').replace(/\bx\b/g, '0')
  mapInto(core, text, bias ? { bias } : { zero: 0 }, out.shape, out.dtype, out)
}

// ── a window for every channel ────────────────────────────────────────────────────────────────────────────────────

const isPlane = (v: Convolution): boolean =>
  v.groups === v.c && v.o === v.c && [...v.stride, ...v.dilation].every((s) => s === 1)

/** Sets windows [count, rows, columns] into larger ones, zeros behind; the same tensor when they fit. */
const set = (w: Tensor, count: number, from: readonly [number, number], to: readonly [number, number]): Tensor =>
  from[0] === to[0] && from[1] === to[1] ? w : padded(w, count, from, to)

const fusing = (end: Fused | null): { readonly hooks?: readonly Fused['hook'][]; readonly hookKey?: string } =>
  end ? { hooks: [end.hook], hookKey: end.key } : {}

/** Windows of one row: rows of all planes are alike. False when there is no kernel for the width. */
function asLines(v: Convolution): boolean {
  const kind = v.c > 1 ? 'each' : 'one'
  const k = lines[kind].find((size) => size >= v.s)
  if (v.r !== 1 || v.top > 0 || k === undefined) return false
  const w = set(v.w, v.c, [1, v.s], [1, k])
  v.core.record({
    module: 'lines',
    recipe: linesRecipe,
    plan: `rows-${kind}-${k}`,
    arrays: { x: v.x.memory, w: w.memory, y: v.out.memory },
    sizes: { b: v.n * v.c * v.h, h: v.h, c: v.c, m: v.width, left: v.left, q: v.q },
    cost: convolutionCost(v),
    ...fusing(v.end('y')),
  })
  if (w !== v.w) w.dispose()
  return true
}

/** A stencil on every plane. False when there is no kernel for such a window, or zeros would be most of it. */
function asPlanes(v: Convolution): boolean {
  const kind = v.c > 1 ? 'each' : 'one'
  const k = squares[kind].find((size) => size >= Math.max(v.r, v.s))
  if (k === undefined || k * k > 3 * v.r * v.s) return false
  const sizes = { b: v.n * v.c, c: v.c, n: v.h, m: v.width, top: v.top, left: v.left, p: v.p, q: v.q }
  const full = `planes-${kind}-${k}`
  const plan = [full, `${full}-low`].find((name) => v.core.fits(planesRecipe, name, sizes))
  if (!plan) return false
  const w = set(v.w, v.c, [v.r, v.s], [k, k])
  v.core.record({
    module: 'planes',
    recipe: planesRecipe,
    plan,
    arrays: { x: v.x.memory, w: w.memory, y: v.out.memory },
    sizes,
    cost: convolutionCost(v),
    ...fusing(v.end('y')),
  })
  if (w !== v.w) w.dispose()
  return true
}

// ── two passes ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface SeparableOptions extends ResultOptions {
  /** Zeros around the image; `same` (when absent) keeps the extents. */
  readonly padding?: 'same' | number | readonly [number, number]
}

/**
 * Every plane of [.., rows, columns] filtered by `columns` down its columns and `rows` along its rows (vectors of up to
 * 33 taps, f32): what conv2d does with the window columns · rowsᵀ, in two passes.
 */
export function separableConv2d<A extends DType>(
  core: Core,
  x: Tensor<A>,
  rows: Tensor,
  columns: Tensor,
  options: SeparableOptions = {},
): Tensor<Product<A, A>> {
  checkTensors(core, 'separableConv2d', { x, rows, columns })
  checkOptions('separableConv2d', options, ['padding', 'out'])
  const { padding = 'same', out } = options
  return filtered(core, x, rows, columns, padding, out) as Tensor<Product<A, A>> // as typeFor says
}

function filtered(
  core: Core,
  x: Tensor,
  rows: Tensor,
  columns: Tensor,
  padding: NonNullable<SeparableOptions['padding']>,
  given: SeparableOptions['out'],
): Tensor {
  floating('separableConv2d', { image: x, rows, columns })
  const most = Math.max(...lines.one)
  for (const t of [rows, columns])
    if (t.shape.length !== 1 || t.length < 1 || t.length > most)
      refuse(
        'separable.taps',
        `taps are a vector of 1 to ${most}, not [${t.shape.join(', ')}]`,
        'conv2d takes larger windows',
      )
  if (x.shape.length < 2) refuse('separable.shape', `an image has two axes at least, not [${x.shape.join(', ')}]`)
  const [h = 0, width = 0] = x.shape.slice(-2),
    planes = elements(x.shape.slice(0, -2))
  const s = rows.length,
    r = columns.length
  const [[top], [left]] = aroundOf('separableConv2d', padding, [r, s])
  if (padding !== 'same' && h * width > 0 && (r > h + 2 * top || s > width + 2 * left))
    refuse(
      'separableConv2d.window',
      `taps of ${r} and ${s} elements are more than the image [${h}, ${width}] has with its padding`,
      'pad the image, or take fewer taps',
    )
  const p = padding === 'same' ? h : Math.max(0, h + 2 * top - r + 1),
    q = padding === 'same' ? width : Math.max(0, width + 2 * left - s + 1)
  const making = { shape: [...x.shape.slice(0, -2), p, q], dtype: typeFor([x]), inputs: { x, rows, columns } }
  return resultOf(core, 'separableConv2d', given, making, (to) => {
    const out = to ?? blank(core, making.shape, making.dtype)
    if (out.length === 0) return out
    using between = blank(core, [planes, h, q], 'f32')
    pass(core, 'rows-one', x, rows, between, { b: planes * h, h: 1, c: 1, m: width, left, q })
    pass(core, 'columns-one', between, columns, out, { b: planes, n: h, m: q, top, p })
    return out
  })
}

function pass(
  core: Core,
  kind: string,
  x: Tensor,
  taps: Tensor,
  y: Tensor,
  sizes: Readonly<Record<string, number>>,
): void {
  const k = lines.one.find((size) => size >= taps.length) ?? refuse('separable.taps', 'too many taps')
  const w = set(taps, 1, [1, taps.length], [1, k])
  core.record({
    module: 'lines',
    recipe: linesRecipe,
    plan: `${kind}-${k}`,
    sizes,
    arrays: { x: x.memory, w: w.memory, y: y.memory },
    cost: { bytes: x.bytes + y.bytes, flop: 2 * y.length * taps.length },
  })
  if (w !== taps) w.dispose()
}
