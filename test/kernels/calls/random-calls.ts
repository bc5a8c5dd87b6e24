// Random calls of the library as plain JavaScript makes them, right ones and ones with a mistake. In: a device and a
// stream of random numbers. Out: the name of an operation, its arguments, and what was done to them. The one idea: a
// call is made right first, and then perhaps one thing of it is changed, so that mistakes look like those of people.
import type { Random } from '../../../src/base/index.ts'
import type { DType, Gpu, Tensor } from '../../../src/kernels/index.ts'
import { volume } from '../language.ts'
import { contents, expressions, wholeExpressions } from './references.ts'

export interface Call {
  readonly name: string
  readonly args: readonly unknown[]
  /** What was changed; `null` of a right call. */
  readonly mistake: string | null
}

export interface World {
  readonly gpu: Gpu
  readonly other: Gpu
  readonly stream: Random
}

// not empty
const pick = <T>({ stream }: World, list: readonly T[]): T => list[Math.floor(stream.unit() * list.length)]!
const maybe = (w: World, chance = 0.5): boolean => w.stream.unit() < chance

const shapes: readonly (readonly number[])[] = [[5], [3, 4], [2, 3, 4], [1, 6], [40], [0, 3], [7, 1, 2]]

/** Numbers that are right in f32 and easy to tell apart; now and then one that is none. */
function element(w: World, dtype: DType): number {
  const small = Math.floor(w.stream.unit() * 17) - 8
  if (dtype === 'u32') return Math.abs(small)
  if (dtype === 'i32') return small
  return maybe(w, 0.03) ? pick(w, [NaN, Infinity, -Infinity, -0]) : small / 4
}

function made(w: World, shape: readonly number[], dtype: DType = 'f32', gpu: Gpu = w.gpu): Tensor {
  const data = Array.from({ length: volume(shape) }, () => element(w, dtype))
  const t = gpu.tensor(data, shape, dtype)
  contents.set(t, { shape, data, dtype })
  return t
}

const typed = (w: World): DType => pick(w, ['f32', 'f32', 'i32', 'u32'])

const axisOption = (w: World, rank: number): Readonly<Record<string, unknown>> =>
  maybe(w) ? {} : { [pick(w, ['axis', 'axes'])]: Math.floor(w.stream.unit() * 2 * rank) - rank }

const some = (w: World, options: Readonly<Record<string, () => unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).flatMap(([name, value]) => (maybe(w, 0.4) ? [[name, value()]] : [])))

const flagOf = (w: World) => (): boolean => maybe(w)

const reduction =
  (empty: boolean, types: (w: World) => DType = typed) =>
  (w: World): readonly unknown[] => {
    const shape = pick(w, empty ? shapes : shapes.filter((s) => volume(s) > 0))
    return [made(w, shape, types(w)), { ...axisOption(w, shape.length), ...some(w, { keep: flagOf(w) }) }]
  }

const activation = (w: World) => (): unknown => pick(w, ['none', 'relu', 'tanh', 'sigmoid', 'leakyRelu', 'x * x'])

const calls: Readonly<Record<string, (w: World) => readonly unknown[]>> = {
  sum: reduction(true),
  product: reduction(true),
  min: reduction(false),
  max: reduction(false),
  mean: reduction(false),
  norm: reduction(true, () => 'f32'),
  argmax: reduction(false),
  argmin: reduction(false),
  scan: (w) => {
    const shape = pick(w, shapes)
    const options = { op: () => pick(w, ['sum', 'product', 'min', 'max']), exclusive: flagOf(w), reverse: flagOf(w) }
    return [made(w, shape, typed(w)), { ...axisOption(w, shape.length), ...some(w, options) }]
  },
  transpose: (w) => {
    const shape = pick(w, shapes),
      axes = [...shape.keys()]
    return [made(w, shape, typed(w)), ...(maybe(w) ? [] : [maybe(w) ? axes.reverse() : axes])]
  },
  matmul: (w) => {
    const [m, n, k] = [pick(w, [1, 3, 5]), pick(w, [1, 4]), pick(w, [2, 7])]
    const [transposeA, transposeB] = [maybe(w), maybe(w)]
    return [
      made(w, transposeA ? [k, m] : [m, k]),
      made(w, transposeB ? [n, k] : [k, n]),
      {
        ...(transposeA && { transposeA }),
        ...(transposeB && { transposeB }),
        ...some(w, {
          alpha: () => pick(w, [2, -1, 0.5]),
          bias: () => made(w, pick(w, [[n], [m, 1]])),
          activation: activation(w),
        }),
      },
    ]
  },
  map: (w) => {
    const dtype = typed(w),
      shape = pick(w, shapes)
    const text = pick(w, Object.keys(dtype === 'f32' ? expressions : wholeExpressions))
    const y = pick(w, [shape, shape.with(0, 1), shape.slice(-1), []])
    return [text, { x: made(w, shape, dtype), y: made(w, y, dtype), a: pick(w, [0, 1, 2]) }]
  },
  histogram: (w) => {
    const dtype = typed(w)
    return [made(w, pick(w, shapes), dtype), { bins: pick(w, [1, 4, 8]), ...(dtype === 'f32' && { range: [-1, 1] }) }]
  },
  conv2d: (w) => [
    made(
      w,
      pick(w, [
        [1, 2, 5, 6],
        [2, 2, 5, 6],
      ]),
    ),
    made(w, [3, 2, 3, 3]),
    some(w, { padding: () => pick(w, ['same', 1, [0, 1]]), stride: () => pick(w, [1, 2]), activation: activation(w) }),
  ],
  fill: (w) => [pick(w, shapes), pick(w, [0, 1.5, -3])],
  cast: (w) => [made(w, pick(w, shapes), typed(w)), pick(w, ['f32', 'i32', 'u32'])],
}

const names: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['sum', 'product', 'min', 'max', 'mean', 'norm', 'argmax', 'argmin'].map((n) => [
      n,
      ['axes', 'axis', 'keep', 'out'],
    ]),
  ),
  scan: ['op', 'axis', 'axes', 'exclusive', 'reverse'],
  matmul: ['transposeA', 'transposeB', 'alpha', 'bias', 'activation', 'out'],
  histogram: ['bins', 'range'],
  conv2d: ['stride', 'padding', 'dilation', 'activation'],
  map: ['x', 'y', 'a'],
}

/** What stands where something else should. */
const junk: Readonly<Record<string, (w: World) => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  NaN: () => NaN,
  '-1': () => -1,
  '1.5': () => 1.5,
  '7': () => 7,
  '1e10': () => 1e10,
  'a bigint': () => 3n,
  'a symbol': () => Symbol('s'),
  text: () => 'text',
  'no text': () => '',
  'an object': () => ({}),
  'an odd object': () => ({ shape: [2], dtype: 'f32', length: 2 }),
  'an empty list': () => [],
  'a list': () => [1, 2],
  'a list of odd things': () => [null, 'x'],
  'a list with a hole': () => Object.assign([1], { length: 3 }),
  'a function': () => () => 1,
  'a Float32Array': () => new Float32Array(3),
  'a date': () => new Date(0),
  'an object without a prototype': () => Object.create(null),
  'a tensor of i32': (w) => made(w, [3], 'i32'),
  'a tensor of f32': (w) => made(w, [3, 4], 'f32'),
  'a scalar': (w) => made(w, [], 'f32'),
  'a disposed tensor': (w) => {
    const t = w.gpu.tensor([1, 2, 3])
    t.dispose()
    return t
  },
  'a tensor of another device': (w) => w.other.tensor([1, 2, 3]),
}

function misspelt(w: World, name: string): string {
  const i = Math.floor(w.stream.unit() * name.length)
  return pick(w, [
    name + 's',
    name.slice(0, i) + name.slice(i + 1),
    name.toUpperCase(),
    `${name.slice(0, i)}z${name.slice(i + 1)}`,
  ])
}

/** One thing of a call changed. */
function mistaken(w: World, { name, args }: Call): Call {
  const last = args.at(-1),
    options =
      args.length > 1 && typeof last === 'object' && last !== null && !contents.has(last) && !Array.isArray(last)
  const what = pick(w, Object.keys(junk)),
    value = junk[what]!(w)
  if (options && maybe(w, 0.6)) {
    const known = pick(w, names[name] ?? ['axis'])
    const given = last as Readonly<Record<string, unknown>> // just seen
    const wrong = misspelt(w, known)
    const [changed, mistake] = pick<readonly [Readonly<Record<string, unknown>>, string]>(w, [
      [{ ...given, [known]: value }, `${known}: ${what}`],
      [{ ...given, [known]: value }, `${known}: ${what}`],
      [{ ...given, [wrong]: given[known] ?? true }, `${wrong} for ${known}`],
      [Object.fromEntries(Object.entries(given).filter(([n]) => n !== known)), `without ${known}`],
    ])
    return { name, args: [...args.slice(0, -1), changed], mistake }
  }
  const i = Math.floor(w.stream.unit() * args.length)
  if (maybe(w, 0.2)) return { name, args: args.slice(0, i), mistake: `only ${i} arguments` }
  return { name, args: args.with(i, value), mistake: `argument ${i}: ${what}` }
}

/** A call without a mistake. */
export function rightCall(w: World): Call {
  const name = pick(w, Object.keys(calls))
  return { name, args: calls[name]!(w), mistake: null }
}

/** A call, with a mistake in two of three. */
export function randomCall(w: World): Call {
  const right = rightCall(w)
  return maybe(w, 0.35) ? right : mistaken(w, right)
}
