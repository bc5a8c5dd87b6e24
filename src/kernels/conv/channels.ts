// A convolution whose channels lie together, [n, rows, columns, channels] with windows [rows, columns, channels,
// outputs]: places times windows, [n × places, window × channels] · [window × channels, outputs]. The left factor is
// gathered as it is loaded, by channel first, so that neighbouring threads read neighbouring channels; each geometry
// compiles once.
import type { Hook } from '../fusion/adapted-text.ts'
import { lanes, type Fused } from '../fusion/hooks.ts'
import { convolutionCost, type Convolution } from './geometry.ts'
import { gemm, storedAt, paddedDepth } from './product.ts'

/** Records the product with bias and activation fused into its stores. */
export function channelsLast(v: Convolution): void {
  const outputs = v.o / v.groups,
    depth = (v.c / v.groups) * v.r * v.s,
    end = v.end('C')
  gemm(
    v,
    { batch: v.groups, n: v.n * v.p * v.q, m: outputs, p: paddedDepth(depth) },
    [
      imageHook(v, depth),
      windowHook(v, outputs, depth),
      ...(v.groups > 1 ? [apart(v, outputs, end)] : end ? [end.hook] : []),
    ],
    end?.key,
    convolutionCost(v),
  )
}

/**
 * A[group, place, k]: k = (row, column, channel) of the window; zeros where it reaches past the image and past its end.
 */
function imageHook(v: Convolution, depth: number): Hook {
  const k = paddedDepth(depth),
    rows = v.n * v.p * v.q,
    channels = v.c / v.groups,
    [sy, sx] = v.stride,
    [dy, dx] = v.dilation
  // a vector is of one element of the window
  const together = (width: number): boolean => width > 1 && channels % width === 0 && v.c % width === 0
  const element = (l: number): readonly string[] => [
    `  let k${l} = k + ${l}u;`,
    `  let t${l} = k${l} / ${channels}u;`,
    `  let y${l} = y + t${l} / ${v.s}u * ${dy}u;`,
    `  let x${l} = x + t${l} % ${v.s}u * ${dx}u;`,
    // Above and beside the image, unsigned differences are larger than any extent.
    `  let in${l} = k${l} < ${depth}u && y${l} - ${v.top}u < ${v.h}u && x${l} - ${v.left}u < ${v.width}u;`,
    `  let at${l} = ((image_of * ${v.h}u + y${l} - ${v.top}u) * ${v.width}u + x${l} - ${v.left}u) * ${v.c}u + ` +
      `group * ${channels}u + k${l} % ${channels}u;`,
  ]
  return {
    array: 'A',
    bindings: [
      { name: 'image', buffer: v.x.memory, typeOf: (width) => (together(width) ? `vec${width}<f32>` : 'f32') },
    ],
    fields: [],
    functions: '',
    body: (width) =>
      [
        `  let e = i * ${width}u;`,
        `  let k = e % ${k}u;`,
        `  let place = e / ${k}u % ${rows}u;`,
        `  let group = e / ${k * rows}u;`,
        `  let image_of = place / ${v.p * v.q}u;`,
        `  let y = place % ${v.p * v.q}u / ${v.q}u * ${sy}u;`,
        `  let x = place % ${v.q}u * ${sx}u;`,
        ...(together(width)
          ? [
              ...element(0),
              `  return select(vec${width}<f32>(), image[min(at0, ${v.x.length - width}u) / ${width}u], in0);`,
            ]
          : [
              ...Array.from({ length: width }, (_, l) => element(l)).flat(),
              `  return ${lanes(width, 'f32', (l) => `select(0.0, image[min(at${l}, ${v.x.length - 1}u)], in${l})`)};`,
            ]),
      ].join('\n'),
  }
}

/** B[group, k, output]: the windows as they lie, zeros past their end. */
function windowHook(v: Convolution, outputs: number, depth: number): Hook {
  const k = paddedDepth(depth)
  const together = (width: number): boolean => width > 1 && outputs % width === 0 // a vector is of one k
  return {
    array: 'B',
    bindings: [
      { name: 'windows', buffer: v.w.memory, typeOf: (width) => (together(width) ? `vec${width}<f32>` : 'f32') },
    ],
    fields: [],
    functions: '',
    body: (width) => {
      const at = (l: number): string =>
        `min(((e + ${l}u) / ${outputs}u % ${k}u) * ${v.o}u + (e + ${l}u) / ${outputs * k}u * ${outputs}u + (e ` +
        `+ ${l}u) % ${outputs}u, ${v.w.length - (together(width) ? width : 1)}u)`
      const inside = (l: number): string => `(e + ${l}u) / ${outputs}u % ${k}u < ${depth}u`
      const elements = together(width)
        ? `select(vec${width}<f32>(), windows[${at(0)} / ${width}u], ${inside(0)})`
        : lanes(width, 'f32', (l) => `select(0.0, windows[${at(l)}], ${inside(l)})`)
      return [`  let e = i * ${width}u;`, `  return ${elements};`].join('\n')
    },
  }
}

/** C[group, place, output] is stored as [place, group, output]. */
function apart(v: Convolution, outputs: number, end: Fused | null): Hook {
  const rows = v.n * v.p * v.q
  return storedAt(end, 'C', (width) => [
    `  let at = (e / ${outputs}u % ${rows}u * ${v.o}u + e / ${outputs * rows}u * ${outputs}u + e % ` +
      `${outputs}u) / ${width}u;`,
  ])
}
