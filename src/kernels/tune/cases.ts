// What the library is measured and tuned with. In: a device's kind. Out: cases: an operation at sizes, its inputs, and
// any element of its result in float64. The one idea: inputs are sums of two random vectors, so that the device makes
// large ones itself and the host knows every element without storing it.
import { random } from '../../base/index.ts'
import { conv2d } from '../conv/conv.ts'
import type { Core } from '../device/core.ts'
import type { Cost } from '../device/prepared-launches.ts'
import { map } from '../map/map.ts'
import { matmul } from '../matmul/matmul.ts'
import { sum } from '../reduce/sum.ts'
import { elements, tensor, type Shape, type Tensor } from '../tensor.ts'
import { transpose } from '../transpose/transpose.ts'

/** An element of a result, and the sum of the sizes of what is added up in it. */
export interface ExpectedElement {
  readonly value: number
  readonly size: number
}

export interface Prepared {
  readonly run: () => Tensor
  readonly expected: (place: number) => ExpectedElement
  /** How many numbers are added up in an element: how errors grow. */
  readonly depth: number
  dispose(): void
}

export interface Case extends Cost {
  /** `matmul 512×512×512`. */
  readonly name: string
  /** Bytes of inputs and result together: what must fit. */
  readonly bytes: number
  readonly prepare: (core: Core) => Prepared
}

/** u[i] + v[j] for all i and j, on the device, and on the host as f32 has it. */
interface Outer {
  readonly tensor: Tensor<'f32'>
  readonly at: (i: number, j: number) => number
}

function outer(core: Core, rows: number, columns: number, seed: number): Outer {
  const stream = random(seed),
    one = (n: number): Float32Array<ArrayBuffer> => Float32Array.from({ length: n }, () => 2 * stream.unit() - 1)
  const u = one(rows),
    v = one(columns)
  using x = tensor(core, u, [rows, 1])
  using y = tensor(core, v, [1, columns])
  return { tensor: map(core, 'x + y', { x, y }), at: (i, j) => Math.fround(u[i]! + v[j]!) } // i and j are in range
}

/** Σ over k of `term(k)`, and of its size. */
function added(count: number, term: (k: number) => number): ExpectedElement {
  let value = 0,
    size = 0
  for (let k = 0; k < count; k++) {
    const t = term(k)
    value += t
    size += Math.abs(t)
  }
  return { value, size }
}

const times = (...n: readonly number[]): string => n.join('×')

function product(m: number, n: number, k: number): Case {
  return {
    name: `matmul ${times(m, n, k)}`,
    flop: 2 * m * n * k,
    bytes: 4 * (m * k + k * n + m * n),
    prepare: (core) => {
      const a = outer(core, m, k, 1),
        b = outer(core, k, n, 2)
      return {
        run: () => matmul(core, a.tensor, b.tensor),
        depth: k,
        expected: (place) => added(k, (x) => a.at(Math.floor(place / n), x) * b.at(x, place % n)),
        dispose: () => {
          a.tensor.dispose()
          b.tensor.dispose()
        },
      }
    },
  }
}

function sums(name: string, shape: readonly [number, number], axes: number | undefined): Case {
  const [n, m] = shape,
    depth = axes === undefined ? n * m : shape[axes]!
  const part = (place: number, x: Outer): ExpectedElement =>
    axes === 0
      ? added(n, (i) => x.at(i, place))
      : axes === 1
        ? added(m, (j) => x.at(place, j))
        : added(n * m, (e) => x.at(Math.floor(e / m), e % m))
  return {
    name: `sum ${name}`,
    flop: n * m,
    bytes: 4 * (n * m + (n * m) / depth),
    prepare: (core) => {
      const x = outer(core, n, m, 3)
      return {
        run: () => sum(core, x.tensor, axes === undefined ? {} : { axes }),
        depth,
        expected: (place) => part(place, x),
        dispose: () => x.tensor.dispose(),
      }
    },
  }
}

/** Work on every element of a matrix: moved, or computed anew. */
function moved(
  name: string,
  n: number,
  m: number,
  run: (core: Core, x: Tensor<'f32'>) => Tensor,
  from: (place: number, x: Outer['at']) => number,
): Case {
  return {
    name,
    flop: 0,
    bytes: 8 * n * m,
    prepare: (core) => {
      const x = outer(core, n, m, 4)
      return {
        run: () => run(core, x.tensor),
        depth: 1,
        expected: (place) => {
          const value = from(place, x.at)
          return { value, size: Math.abs(value) }
        },
        dispose: () => x.tensor.dispose(),
      }
    },
  }
}

const turn = (n: number, m: number): Case =>
  moved(`transpose ${times(n, m)}`, n, m, transpose, (place, at) => at(place % n, Math.floor(place / n)))
const every = (n: number): Case =>
  moved(
    `map ${n}`,
    1,
    n,
    (core, x) => map(core, '2 * x + 1', { x }),
    (place, at) => 2 * at(0, place) + 1,
  )

function convolution(n: number, c: number, size: number, outputs: number, window: number): Case {
  const inner = c * window * window,
    plane = size * size,
    edge = (window - 1) / 2
  const shape: Shape = [n, outputs, size, size]
  return {
    name: `conv2d ${times(n, c, size, size)} by ${times(outputs, window, window)}`,
    flop: 2 * elements(shape) * inner,
    bytes: 4 * (n * c * plane + outputs * inner + elements(shape)),
    prepare: (core) => {
      const x = outer(core, n * c, plane, 5),
        w = outer(core, outputs, inner, 6)
      const image = x.tensor.reshaped([n, c, size, size]),
        windows = w.tensor.reshaped([outputs, c, window, window])
      const expected = (place: number): ExpectedElement => {
        const column = place % size,
          row = Math.floor(place / size) % size,
          output = Math.floor(place / plane) % outputs,
          first = Math.floor(place / plane / outputs) * c
        return added(inner, (k) => {
          const y = row + (Math.floor(k / window) % window) - edge,
            z = column + (k % window) - edge
          return y < 0 || y >= size || z < 0 || z >= size
            ? 0
            : x.at(first + Math.floor(k / window / window), y * size + z) * w.at(output, k)
        })
      }
      return {
        run: () => conv2d(core, image, windows, { padding: 'same' }),
        depth: inner,
        expected,
        dispose: () => {
          image.dispose()
          windows.dispose()
        },
      }
    },
  }
}

/**
 * Cases for a device: what people multiply, add and move, large enough to fill it, and small enough to show what a
 * launch costs.
 */
export function cases(software: boolean): readonly Case[] {
  if (software) {
    return [
      product(64, 64, 64),
      product(128, 128, 128),
      product(61, 67, 71),
      product(16, 128, 512),
      product(1, 256, 256),
      product(256, 1, 256),
      sums('of 4096', [1, 4096], undefined),
      sums('of 65536', [1, 65536], undefined),
      sums('rows 256×256', [256, 256], 1),
      sums('columns 256×256', [256, 256], 0),
      every(4096),
      every(1 << 17),
      turn(256, 256),
      convolution(1, 8, 16, 16, 3),
    ]
  }
  const squares = [128, 256, 512, 1000, 1024, 2000, 2048, 4096, 8192].map((n) => product(n, n, n))
  const others = [
    [4096, 64, 4096],
    [64, 4096, 4096],
    [128, 128, 16384],
    [256, 256, 8192],
    [16384, 1024, 256],
    [1024, 1024, 64],
    [4095, 4097, 4093],
    [512, 2048, 1024],
    [4096, 1024, 1024],
    [2048, 512, 4096],
  ] as const
  return [
    ...squares,
    ...others.map(([m, n, k]) => product(m, n, k)),
    product(1, 4096, 4096),
    product(4096, 1, 4096),
    product(1, 1024, 1024),
    product(1024, 1, 1024),
    ...[12, 16, 20, 24, 26].map((bits) =>
      sums(`of 2^${bits}`, [2 ** (bits >> 1), 2 ** (bits - (bits >> 1))], undefined),
    ),
    sums('rows 4096×4096', [4096, 4096], 1),
    sums('rows 65536×64', [65536, 64], 1),
    sums('rows 64×65536', [64, 65536], 1),
    sums('columns 4096×4096', [4096, 4096], 0),
    sums('columns 256×65536', [256, 65536], 0),
    ...[14, 18, 20, 24].map((bits) => every(2 ** bits)),
    turn(1024, 1024),
    turn(4096, 4096),
    turn(8191, 8193),
    convolution(8, 64, 56, 64, 3),
    convolution(1, 256, 28, 256, 3),
    convolution(16, 32, 112, 64, 1),
  ]
}
