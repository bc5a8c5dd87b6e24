// What operations of the library are, on plain arrays in float64, read from the documents and not from the library. In:
// the arguments of a call as plain JavaScript. Out: shape and elements of its result, and how far off they may be. A
// call that means nothing has no reference (it throws), so that whatever answers it is wrong.
import type { DType } from '../../../src/kernels/index.ts'
import { at, indices, volume } from '../language.ts'

/** An array as a tensor holds it. */
export interface Plain {
  readonly shape: readonly number[]
  readonly data: readonly number[]
  readonly dtype: DType
}

/** A result, with the largest difference allowed for each element (0 when absent). */
export interface Expected extends Plain {
  readonly within?: readonly number[]
}

/** The arrays that tensors were made of. */
export const contents = new WeakMap<object, Plain>()

const meaningless = (why: string): never => {
  throw new Error(`this call has no meaning: ${why}`)
}

const plain = (x: unknown): Plain =>
  (typeof x === 'object' && x !== null ? contents.get(x) : undefined) ?? meaningless('no tensor')

/** Options: an object of these names alone, or nothing. */
function optionsOf(given: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (given === undefined) return {}
  if (typeof given !== 'object' || given === null || Array.isArray(given) || contents.has(given))
    return meaningless('options are no object')
  const { out } = given as { readonly out?: unknown } // where the result goes is no part of it
  if (out !== undefined) plain(out)
  const odd = Object.keys(given).find((name) => name !== 'out' && !names.includes(name))
  return odd === undefined ? (given as Record<string, unknown>) : meaningless(`option ${odd}`)
}

const flag = (x: unknown): boolean => (x === undefined || typeof x === 'boolean' ? x === true : meaningless('no flag'))

function axesOf(shape: readonly number[], o: Readonly<Record<string, unknown>>): readonly number[] | undefined {
  if (o['axis'] !== undefined && o['axes'] !== undefined) return meaningless('axis and axes')
  const given = o['axis'] ?? o['axes']
  if (given === undefined) return undefined
  const list = (Array.isArray(given) ? given : [given]).map((a: unknown) =>
    typeof a === 'number' && Number.isInteger(a) && a >= -shape.length && a < shape.length
      ? (a + shape.length) % shape.length
      : meaningless('no axis'),
  )
  return new Set(list).size === list.length ? list : meaningless('an axis twice')
}

const cut = (v: number, dtype: DType): number => {
  if (dtype === 'i32') return v | 0
  return dtype === 'u32' ? v >>> 0 : v
}

const times = (a: number, b: number, dtype: DType): number =>
  dtype === 'i32' || dtype === 'u32' ? cut(Math.imul(a, b), dtype) : a * b

/** NaN where one of them is, as NumPy's minimum and maximum. */
const lesser = (a: number, b: number): number => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Math.min(a, b))
const greater = (a: number, b: number): number => (Number.isNaN(a) || Number.isNaN(b) ? NaN : Math.max(a, b))

type Fold = (list: readonly number[], dtype: DType) => readonly [value: number, within: number]

const magnitude = (list: readonly number[]): number =>
  list.reduce((s, v) => s + (Number.isFinite(v) ? Math.abs(v) : 0), 0)
const total = (list: readonly number[], dtype: DType): number => list.reduce((s, v) => cut(s + v, dtype), 0)
const whole = (dtype: DType): boolean => dtype === 'i32' || dtype === 'u32'

const folds: Readonly<Record<string, Fold>> = {
  sum: (list, dtype) => [total(list, dtype), whole(dtype) ? 0 : 1e-5 * magnitude(list)],
  product: (list, dtype) => {
    const value = list.reduce((p, v) => times(p, v, dtype), 1)
    return [value, whole(dtype) ? 0 : 1e-5 * Math.abs(value) + 1e-37]
  },
  min: (list) => [list.length > 0 ? list.reduce(lesser) : meaningless('the least of nothing'), 0],
  max: (list) => [list.length > 0 ? list.reduce(greater) : meaningless('the greatest of nothing'), 0],
  mean: (list) => [total(list, 'f32') / list.length, (1e-5 * magnitude(list)) / Math.max(1, list.length)],
  norm: (list) => {
    const value = Math.sqrt(list.reduce((s, v) => s + v * v, 0))
    return [value, 1e-5 * Math.abs(value)]
  },
}

/** `fold` of the elements along axes. */
function reduced(name: string, args: readonly unknown[]): Expected {
  const x = plain(args[0])
  const o = optionsOf(args[1], ['axes', 'axis', 'keep'])
  if (name === 'norm' && whole(x.dtype)) return meaningless('the norm of integers')
  const axes = axesOf(x.shape, o) ?? x.shape.map((_, i) => i)
  const kept = x.shape.map((d, i) => (axes.includes(i) ? 1 : d))
  const lists = indices(kept).map((): number[] => [])
  for (const index of indices(x.shape)) {
    const to = index.reduce((n, v, i) => n * kept[i]! + (axes.includes(i) ? 0 : v), 0)
    lists[to]!.push(at(x.data, x.shape, index))
  }
  const dtype = name === 'mean' && whole(x.dtype) ? 'f32' : x.dtype
  const all = lists.map((list) => folds[name]!(list, x.dtype))
  return {
    shape: flag(o['keep']) ? kept : x.shape.filter((_, i) => !axes.includes(i)),
    data: all.map(([v]) => v),
    within: all.map(([, w]) => w),
    dtype,
  }
}

/** The place of the first NaN, else of the first best. */
function best(list: readonly number[], better: (a: number, b: number) => boolean): number {
  if (list.length === 0) return meaningless('the best of nothing')
  const none = list.findIndex(Number.isNaN)
  return none >= 0 ? none : list.reduce((found, v, i) => (better(v, list[found]!) ? i : found), 0)
}

function searched(name: string, args: readonly unknown[]): Expected {
  const x = plain(args[0])
  const o = optionsOf(args[1], ['axes', 'axis', 'keep'])
  const axes = axesOf(x.shape, o) ?? x.shape.map((_, i) => i)
  if (axes.length !== 1 && axes.length !== x.shape.length) return meaningless('several axes')
  const named = o['axis'] !== undefined || o['axes'] !== undefined
  if (named && axes.length !== 1) return meaningless('several axes')
  const kept = x.shape.map((d, i) => (axes.includes(i) ? 1 : d))
  const lists = indices(kept).map((): number[] => [])
  for (const index of indices(x.shape))
    lists[index.reduce((n, v, i) => n * kept[i]! + (axes.includes(i) ? 0 : v), 0)]!.push(at(x.data, x.shape, index))
  return {
    shape: flag(o['keep']) ? kept : x.shape.filter((_, i) => !axes.includes(i)),
    data: lists.map((list) => best(list, name === 'argmax' ? (a, b) => a > b : (a, b) => a < b)),
    dtype: 'i32',
  }
}

const lowest: Readonly<Record<string, number>> = { f32: -Infinity, i32: -(2 ** 31), u32: 0 }
const highest: Readonly<Record<string, number>> = { f32: Infinity, i32: 2 ** 31 - 1, u32: 2 ** 32 - 1 }

function scanned(args: readonly unknown[]): Expected {
  const x = plain(args[0])
  const o = optionsOf(args[1], ['op', 'axis', 'axes', 'exclusive', 'reverse'])
  const axes = axesOf(x.shape, o) ?? [x.shape.length - 1]
  const [axis = -1] = axes
  if (axes.length !== 1 || axis < 0) return meaningless('several axes')
  const op = o['op'] ?? 'sum'
  const join = {
    sum: (a: number, b: number) => cut(a + b, x.dtype),
    product: (a: number, b: number) => times(a, b, x.dtype),
    min: lesser,
    max: greater,
  }[op as string]
  if (!join) return meaningless(`a scan by ${String(op)}`)
  const first = { sum: 0, product: 1, min: highest[x.dtype]!, max: lowest[x.dtype]! }[op as string]!
  const data = [...x.data],
    within = data.map(() => 0),
    n = x.shape[axis]!
  const [exclusive, reverse] = [flag(o['exclusive']), flag(o['reverse'])]
  for (const index of indices(x.shape)) {
    const line = Array.from({ length: n }, (_, i) => i).filter((i) => (reverse ? i >= index[axis]! : i <= index[axis]!))
    const own = (reverse ? line.reverse() : line).filter((i) => !exclusive || i !== index[axis])
    const list = own.map((i) => at(x.data, x.shape, index.with(axis, i)))
    const to = index.reduce((s, v, i) => s * x.shape[i]! + v, 0)
    data[to] = list.reduce(join, first)
    if (!whole(x.dtype) && op !== 'min' && op !== 'max')
      within[to] = 1e-5 * (op === 'sum' ? magnitude(list) : Math.abs(data[to]!)) + 1e-37
  }
  return { shape: x.shape, data, within, dtype: x.dtype }
}

function transposed(args: readonly unknown[]): Expected {
  const x = plain(args[0]),
    rank = x.shape.length
  const order: unknown = args[1] ?? x.shape.map((_, i) => rank - 1 - i)
  if (args[1] === null || !Array.isArray(order)) return meaningless('no order')
  const full = axesOf(x.shape, { axes: order }) ?? []
  if (full.length !== rank) return meaningless('no order of all axes')
  const shape = full.map((d) => x.shape[d]!)
  const data = indices(shape).map((index) => {
    const from = full.reduce<number[]>(
      (list, d, i) => list.with(d, index[i]!),
      x.shape.map(() => 0),
    )
    return at(x.data, x.shape, from)
  })
  return { shape, data, dtype: x.dtype }
}

const activations: Readonly<Record<string, (x: number) => number>> = {
  none: (x) => x,
  relu: (x) => greater(x, 0),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  leakyRelu: (x) => (x > 0 ? x : 0.01 * x),
  'x * x': (x) => x * x,
}

const activationOf = (given: unknown): ((x: number) => number) =>
  (given === undefined ? activations['none'] : activations[given as string]) ?? meaningless('an activation')

function multiplied(args: readonly unknown[]): Expected {
  const [a, b] = [plain(args[0]), plain(args[1])]
  const o = optionsOf(args[2], ['transposeA', 'transposeB', 'alpha', 'bias', 'activation'])
  if (whole(a.dtype) || whole(b.dtype)) return meaningless('integers')
  const [ta, tb] = [flag(o['transposeA']), flag(o['transposeB'])]
  if (a.shape.length !== 2 || b.shape.length !== 2) return meaningless('no matrices')
  const [m, k] = ta ? [a.shape[1]!, a.shape[0]!] : [a.shape[0]!, a.shape[1]!]
  const [inner, n] = tb ? [b.shape[1]!, b.shape[0]!] : [b.shape[0]!, b.shape[1]!]
  if (k !== inner) return meaningless('inner extents')
  const alpha = o['alpha'] === undefined ? 1 : o['alpha']
  if (typeof alpha !== 'number') return meaningless('alpha')
  const bias = o['bias'] === undefined ? null : plain(o['bias'])
  if (bias && (whole(bias.dtype) || bias.shape.some((d, i) => d !== 1 && d !== [m, n][2 - bias.shape.length + i])))
    return meaningless('a bias that does not fit')
  const after = activationOf(o['activation'])
  const cells = indices([m, n]).map(([i = 0, j = 0]) => {
    const terms = Array.from(
      { length: k },
      (_, p) => a.data[ta ? p * m + i : i * k + p]! * b.data[tb ? j * k + p : p * n + j]!,
    )
    const offset = bias ? at(bias.data, bias.shape, [i, j]) : 0
    return {
      value: after(alpha * terms.reduce((s, v) => s + v, 0) + offset),
      size: magnitude(terms) * Math.abs(alpha) + Math.abs(offset),
    }
  })
  return {
    shape: [m, n],
    data: cells.map((c) => c.value),
    within: cells.map((c) => 1e-5 * (c.size + Math.abs(c.value) + c.size ** 2) + 1e-6),
    dtype: 'f32',
  }
}

/** Expressions that calls are made of, with what they mean. */
export const expressions: Readonly<Record<string, (x: number, y: number, a: number) => number>> = {
  'x + y': (x, y) => x + y,
  'a * x - y': (x, y, a) => a * x - y,
  'max(x, y)': greater,
  'min(x, a)': (x, _y, a) => lesser(x, a),
  'clamp(x, 0, 1)': (x) => (Number.isNaN(x) ? NaN : Math.min(1, Math.max(0, x))),
  'tanh(x)': Math.tanh,
  'x > y ? x : a': (x, y, a) => (x > y ? x : a),
  'x > y': (x, y) => +(x > y),
  '(x >= a) * y': (x, y, a) => +(x >= a) * y,
  'abs(x) + sign(y)': (x, y) => Math.abs(x) + Math.sign(y),
}

/** Those that integers have, too. */
export const wholeExpressions: Readonly<Record<string, (x: number, y: number, a: number) => number>> = {
  'x + y': (x, y) => x + y,
  'a * x - y': (x, y, a) => Math.imul(a, x) - y,
  'max(x, y)': (x, y) => Math.max(x, y),
  'x > y ? x : a': (x, y, a) => (x > y ? x : a),
  'x > y': (x, y) => +(x > y),
  'x / 3 + y % 5': (x, y) => Math.trunc(x / 3) + (y % 5),
}

function mapped(args: readonly unknown[]): Expected {
  const text = args[0] as string
  if (typeof args[1] !== 'object' || args[1] === null || Array.isArray(args[1])) return meaningless('no operands')
  const operands = args[1] as Readonly<Record<string, unknown>>
  const used = ['x', 'y', 'a'].filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  const tensors = Object.values(operands)
    .filter((t) => typeof t !== 'number')
    .map(plain)
  if (tensors.length === 0 || used.some((name) => operands[name] === undefined))
    return meaningless('an operand is missing')
  const types = new Set(tensors.map((t) => t.dtype)),
    [dtype = 'f32'] = types
  if (types.size > 1) return meaningless('mixed types')
  const f = (whole(dtype) ? wholeExpressions : expressions)[text] ?? meaningless('an expression')
  const rank = Math.max(...tensors.map((t) => t.shape.length))
  const shape = Array.from({ length: rank }, (_, i) => {
    const extents = tensors.map((t) => t.shape[t.shape.length - rank + i] ?? 1).filter((d) => d !== 1)
    return new Set(extents).size > 1 ? meaningless('shapes') : (extents[0] ?? 1)
  })
  const value = (name: string, index: readonly number[]): number => {
    const o = operands[name]
    if (typeof o !== 'number') return o === undefined ? 0 : at(plain(o).data, plain(o).shape, index)
    if (whole(dtype) && cut(o, dtype) !== o) return meaningless('a number that is no integer')
    return whole(dtype) ? o : Math.fround(o)
  }
  const data = indices(shape).map((i) => cut(f(value('x', i), value('y', i), value('a', i)), dtype))
  return { shape, data, within: data.map((v) => (whole(dtype) ? 0 : 1e-5 * Math.abs(v) + 1e-6)), dtype }
}

function histogrammed(args: readonly unknown[]): Expected {
  const x = plain(args[0])
  const o = optionsOf(args[1] ?? meaningless('no bins'), ['bins', 'range'])
  const { bins, range } = o
  if (typeof bins !== 'number' || !Number.isInteger(bins) || bins < 1 || bins > 2 ** 24) return meaningless('bins')
  const counts = Array.from({ length: bins }, () => 0)
  if (whole(x.dtype)) {
    if (range !== undefined) return meaningless('a range of integers')
    for (const v of x.data) if (v >= 0 && v < bins) counts[v]!++
    return { shape: [bins], data: counts, dtype: 'u32' }
  }
  if (!Array.isArray(range) || range.length !== 2) return meaningless('no range')
  const [low, high] = range as [number, number]
  if (!(typeof low === 'number' && typeof high === 'number' && low < high)) return meaningless('no range')
  for (const v of x.data)
    if (v >= low && v <= high) counts[Math.min(bins - 1, Math.floor(((v - low) * bins) / (high - low)))]!++
  return { shape: [bins], data: counts, dtype: 'u32' }
}

const pairOf = (given: unknown, otherwise: number, least: number): readonly [number, number] => {
  if (given === undefined) return [otherwise, otherwise]
  const list = Array.isArray(given) ? given : [given, given]
  if (list.length !== 2 || list.some((v) => !Number.isInteger(v) || v < least)) return meaningless('no pair')
  return list as [number, number] // just seen
}

function convolved(args: readonly unknown[]): Expected {
  const [x, w] = [plain(args[0]), plain(args[1])]
  const o = optionsOf(args[2], ['stride', 'padding', 'dilation', 'activation'])
  if (x.shape.length !== 4 || w.shape.length !== 4 || whole(x.dtype) || whole(w.dtype)) return meaningless('no images')
  const [n = 0, c = 0, h = 0, width = 0] = x.shape,
    [k = 0, i = 0, r = 0, s = 0] = w.shape
  if (c !== i) return meaningless('channels')
  const stride = pairOf(o['stride'], 1, 1),
    apart = pairOf(o['dilation'], 1, 1),
    reach = [apart[0] * (r - 1) + 1, apart[1] * (s - 1) + 1] as const
  const same = o['padding'] === 'same'
  const [top, left] = same ? reach.map((d) => Math.floor((d - 1) / 2)) : pairOf(o['padding'], 0, 0)
  const [bottom, right] = same ? reach.map((d) => Math.ceil((d - 1) / 2)) : [top, left]
  const extent = (d: number, pad: number, over: number, step: number): number =>
    d + pad < over ? meaningless('a window larger than its image') : Math.floor((d + pad - over) / step) + 1
  const shape = [
    n,
    k,
    extent(h, top! + bottom!, reach[0], stride[0]),
    extent(width, left! + right!, reach[1], stride[1]),
  ]
  const after = activationOf(o['activation'])
  const cells = indices(shape).map(([image = 0, out = 0, p = 0, q = 0]) => {
    const terms = indices([c, r, s]).map(([ch = 0, v = 0, u = 0]) => {
      const y = p * stride[0] + v * apart[0] - top!,
        z = q * stride[1] + u * apart[1] - left!
      const own = y >= 0 && y < h && z >= 0 && z < width ? at(x.data, x.shape, [image, ch, y, z]) : 0
      return own * at(w.data, w.shape, [out, ch, v, u])
    })
    return { value: after(terms.reduce((a, b) => a + b, 0)), size: magnitude(terms) }
  })
  return {
    shape,
    data: cells.map((e) => e.value),
    within: cells.map((e) => 1e-5 * (e.size + e.size ** 2) + 1e-6),
    dtype: 'f32',
  }
}

function filled(args: readonly unknown[]): Expected {
  const [shape, value] = args
  if (!Array.isArray(shape) || shape.some((d) => !Number.isInteger(d) || d < 0)) return meaningless('no shape')
  if (typeof value !== 'number') return meaningless('no number')
  return { shape, data: Array.from({ length: volume(shape) }, () => Math.fround(value)), dtype: 'f32' }
}

function converted(args: readonly unknown[]): Expected {
  const x = plain(args[0]),
    dtype = args[1] as DType
  const limits = { f32: [-Infinity, Infinity], i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] }[dtype as string]
  if (!limits) return meaningless('a type')
  const [least = 0, most = 0] = limits
  const one = (v: number): number => {
    if (dtype === 'f32') return Math.fround(v)
    if (whole(x.dtype)) return cut(v, dtype)
    return Number.isNaN(v) ? 0 : Math.min(most, Math.max(least, Math.trunc(v)))
  }
  return { shape: x.shape, data: x.data.map(one), dtype }
}

/** The meaning of each operation. */
export const references: Readonly<Record<string, (args: readonly unknown[]) => Expected>> = {
  ...Object.fromEntries(Object.keys(folds).map((name) => [name, (args: readonly unknown[]) => reduced(name, args)])),
  argmax: (args) => searched('argmax', args),
  argmin: (args) => searched('argmin', args),
  scan: scanned,
  transpose: transposed,
  matmul: multiplied,
  map: mapped,
  histogram: histogrammed,
  conv2d: convolved,
  fill: filled,
  cast: converted,
}
