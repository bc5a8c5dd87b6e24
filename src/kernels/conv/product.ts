// A convolution as a product of matrices: windows [outputs, channels × window] times what lies under them, [channels ×
// window, places]. The right factor is never stored: the product's loads gather it, zeros where a window reaches past
// the image. Extents stand in the text as numbers, so that places are found by multiplications; each geometry compiles
// once.
import type { Hook } from '../fusion/adapted-text.ts'
import { coresOf, type Tuning } from '../device/core.ts'
import { refuse } from '../error.ts'
import type { Cost } from '../device/prepared-launches.ts'
import { lanes, type Fused } from '../fusion/hooks.ts'
import { recipe } from '../made/convolution.made.js'
import { convolutionCost, type Convolution } from './geometry.ts'

/** The sum over k = (channel, row, column) is padded to whole steps of every tile. */
export const paddedDepth = (x: number): number => Math.ceil(x / 16) * 16

/** Records the product with bias and activation fused into its stores. */
export function productOfPatches(v: Convolution): void {
  const m = v.o / v.groups,
    depth = (v.c / v.groups) * v.r * v.s
  const places = v.p * v.q
  // Images side by side are one row of places, unless vectors would reach from one into the next.
  const images = places % 4 === 0 || (v.n * places) % 4 !== 0 ? v.n : 1
  const sizes = { batch: (v.n / images) * v.groups, n: m, m: images * places, p: paddedDepth(depth) }
  const end = v.end('C')
  gemm(
    v,
    sizes,
    [
      windowHook(v, m, depth, images),
      imageHook(v, images, depth, paddedDepth(depth)),
      ...(images > 1 ? [apart(v, places, end, 'C')] : end ? [end.hook] : []),
    ],
    end?.key,
    convolutionCost(v),
  )
}

/** Records A · B with hooks for all it loads and stores; the text is of this geometry alone. */
export function gemm(
  v: Convolution,
  sizes: Readonly<Record<'batch' | 'n' | 'm' | 'p', number>>,
  hooks: readonly Hook[],
  endKey: string | undefined,
  cost: Cost,
): void {
  const { batch, n, m, p } = sizes,
    places = batch * p * Math.max(n, m)
  if (places >= 2 ** 32)
    refuse(
      'conv2d.size',
      `this convolution gathers ${places} elements, and their numbers end at 2³²`,
      'work on parts of the images',
    )
  const tiles = v.core.once(`convolution ${n} ${m} ${p} ${batch} ${v.last}`, () =>
    tilesFor(v.core.tuning, n, m, batch, v.last).filter((name) => v.core.fits(recipe, `gemm-${name}`, sizes)),
  )
  const tile = v.core.pick('convolution', [n, m, p, batch], tiles)
  v.core.record({
    module: 'convolution',
    recipe,
    plan: `gemm-${tile}`,
    sizes,
    arrays: { A: v.core.unused, B: v.core.unused, C: v.out.memory },
    cost,
    hooks,
    hookKey: `${geometryOf(v)} ${endKey}`,
  })
}

/** All that texts of a convolution depend on. */
export const geometryOf = (v: Convolution): string =>
  [v.n, v.c, v.h, v.width, v.o, v.r, v.s, v.p, v.q, v.top, v.left, ...v.stride, ...v.dilation, v.groups, v.last].join(
    ' ',
  )

/** A store to `array`, with what ends it, to another place: `at` in the lines, from the element `e`. */
export function storedAt(end: Fused | null, array: string, lines: (width: number) => readonly string[]): Hook {
  const plain: Hook = { array, bindings: [], fields: [], functions: '', body: () => `  ${array}[i] = v;` }
  const hook = end?.hook ?? plain
  return {
    ...hook,
    body: (width) =>
      [`  let e = i * ${width}u;`, ...lines(width), hook.body(width, array).replace(/\bi\b/g, 'at')].join('\n'),
  }
}

/** array[output, image, place] is stored as [image, output, place]. */
export const apart = (v: Convolution, places: number, end: Fused | null, array: string): Hook =>
  storedAt(end, array, (width) => [
    `  let column = e % ${v.n * places}u;`,
    `  let image = column / ${places}u;`,
    `  let at = ((image * ${v.o}u + e / ${v.n * places}u) * ${places}u + column % ${places}u) / ${width}u;`,
  ])

/**
 * Tiles, first the one that suits so many outputs: with fewer blocks of the larger one than cores, the smaller; on
 * software devices the small one. The smaller one is not for channels that lie together: its threads gather so much
 * that SwiftShader's compiler takes minutes.
 */
function tilesFor(tuning: Tuning, m: number, n: number, count: number, last: boolean): readonly string[] {
  const few = Math.ceil(m / 64) * Math.ceil(n / 64) * count <= coresOf[tuning],
    large = last ? ['slim'] : few ? ['narrow', 'slim'] : ['slim', 'narrow']
  return tuning === 'software' ? ['small', ...large] : [...large, 'small']
}

/** A[row, k]: the window of output channel row mod outputs. */
function windowHook(v: Convolution, m: number, depth: number, images: number): Hook {
  const k = paddedDepth(depth),
    outputs = m * v.groups
  const whole = depth === k // vectors lie in one window
  return {
    array: 'A',
    bindings: [
      { name: 'windows', buffer: v.w.memory, typeOf: (width) => (whole && width > 1 ? `vec${width}<f32>` : 'f32') },
    ],
    fields: [],
    functions: '',
    body: (width) => {
      if (whole) return `  return windows[${images < v.n ? `i % ${(outputs * depth) / width}u` : 'i'}];`
      const element = (l: number): string =>
        `select(0.0, windows[min(at + ${l}u, ${v.w.length - 1}u)], k + ${l}u < ${depth}u)`
      return [
        `  let e = i * ${width}u;`,
        `  let k = e % ${k}u;`,
        `  let at = e / ${k}u % ${outputs}u * ${depth}u + k;`,
        `  return ${lanes(width, 'f32', element)};`,
      ].join('\n')
    },
  }
}

/**
 * B[batch, k, image and place]: the element of the image that window element k has at a place, 0 from `depth` to `k`; a
 * batch is a group, of one image or of all.
 */
export function imageHook(v: Convolution, images: number, depth: number, k: number): Hook {
  const channels = v.c / v.groups,
    window = v.r * v.s,
    places = v.p * v.q,
    columns = images * places
  const [sy, sx] = v.stride,
    [dy, dx] = v.dilation
  const single = v.groups * (v.n / images) === 1 // one batch
  const down = (p: string): string => `${p} * ${sy}u + r0 * ${dy}u - ${v.top}u`,
    across = (q: string): string => `${q} * ${sx}u + s0 * ${dx}u - ${v.left}u`
  // Above and beside the image, unsigned differences are larger than any extent.
  const place = (l: number): readonly string[] => [
    ...(l === 0
      ? []
      : [
          `  let q${l} = select(q${l - 1} + 1u, 0u, q${l - 1} + 1u == ${v.q}u);`,
          `  let p${l} = select(p${l - 1}, p${l - 1} + 1u, q${l} == 0u);`,
        ]),
    `  let y${l} = ${down(`p${l}`)};`,
    `  let x${l} = ${across(`q${l}`)};`,
    `  let v${l} = select(0.0, image[min(base + y${l} * ${v.width}u + x${l}, ${v.x.length - 1}u)], inside && ` +
      `y${l} < ${v.h}u && x${l} < ${v.width}u);`,
  ]
  // A vector is of one row; only lanes that a window can move out of the image ask whether they are in it.
  const row = (width: number): readonly string[] => {
    const inRow = v.top > 0 || (v.p - 1) * sy + (v.r - 1) * dy - v.top >= v.h ? [`y < ${v.h}u`] : []
    const inColumn = (l: number): readonly string[] =>
      l * sx < v.left || (v.q - width + l) * sx + (v.s - 1) * dx - v.left >= v.width
        ? [`x + ${l * sx}u < ${v.width}u`]
        : []
    const lane = (l: number): string => {
      const read = `image[min(start + ${l * sx}u, ${v.x.length - 1}u)]`,
        asked = [...(depth === k ? [] : ['inside']), ...inRow, ...inColumn(l)].join(' && ')
      return `  let v${l} = ${asked ? `select(0.0, ${read}, ${asked})` : read};`
    }
    return [
      `  let y = ${down('p0')};`,
      `  let x = ${across('q0')};`,
      `  let start = base + y * ${v.width}u + x;`,
      ...Array.from({ length: width }, (_, l) => lane(l)),
    ]
  }
  const plane = images === 1 ? `(batch * ${channels}u + c)` : `(picture * ${v.c}u + batch * ${channels}u + c)`
  return {
    array: 'B',
    bindings: [{ name: 'image', buffer: v.x.memory, typeOf: () => 'f32' }],
    fields: [],
    functions: '',
    body: (width) =>
      [
        // Remainders are what a quotient leaves: over `%`, an H200 takes 59.4 instead of 58.2 µs for 8 × 64 × 56² by 64
        // × 3².
        `  let e = i * ${width}u;`,
        `  let line = e / ${columns}u;`,
        `  let column = e - line * ${columns}u;`,
        `  let batch = ${single ? '0u' : `line / ${k}u`};`,
        `  let k = line${single ? '' : ` - batch * ${k}u`};`,
        `  let picture = column / ${places}u;`,
        `  let j = column - picture * ${places}u;`,
        `  let p0 = j / ${v.q}u;`,
        `  let q0 = j - p0 * ${v.q}u;`,
        `  let inside = ${depth === k ? 'true' : `k < ${depth}u`};`,
        `  let c = k / ${window}u;`,
        `  let t = k - c * ${window}u;`,
        `  let r0 = t / ${v.s}u;`,
        `  let s0 = t - r0 * ${v.s}u;`,
        `  let base = ${plane} * ${v.h * v.width}u;`,
        ...(v.q % width === 0 ? row(width) : Array.from({ length: width }, (_, l) => place(l)).flat()),
        `  return ${lanes(width, 'f32', (l) => `v${l}`)};`,
      ].join('\n'),
  }
}
