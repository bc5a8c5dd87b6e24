// References of operations on images [planes, height, width].
import { filled, floats, sum, type Case, type Data } from '../data.ts'

type Reference = (m: number, n: number, k: number) => Case

/** Element (p, i, j) of planes; outside it is the nearest of the edge. */
const reader =
  (x: Data, [height, width]: readonly [number, number]) =>
  (p: number, i: number, j: number): number => {
    const held = (at: number, end: number): number => Math.max(0, Math.min(end - 1, at))
    return x.values[(p * height + held(i, height)) * width + held(j, width)]!
  }

type Read = (i: number, j: number) => number

/** Each element of planes [m, n, k] by what lies around it: `f` reads at distances. */
const around =
  (f: (at: Read) => number, within: number): Reference =>
  (m, n, k) => {
    const x = floats([m, n, k], 1),
      read = reader(x, [n, k])
    const y = filled([m, n, k], (q) => {
      const [p, i, j] = [Math.floor(q / (n * k)), Math.floor(q / k) % n, q % k]
      return f((u, v) => read(p, i + u, j + v))
    })
    return { args: { x }, want: { y }, within }
  }

const near = [-1, 0, 1]
const weighed = (at: Read, weight: (u: number, v: number) => number): number =>
  sum(near.flatMap((u) => near.map((v) => weight(u, v) * at(u, v))))
const window = (at: Read): readonly number[] => near.flatMap((u) => near.map((v) => at(u, v)))

/** Each pixel's three channels by a function of them, channels [m, 3, n]. */
const converted =
  (from: string, to: string, f: (pixel: readonly number[]) => readonly number[]): Reference =>
  (m, n) => {
    const x = floats([m, 3, n], 1)
    const pixel = (b: number, i: number): readonly number[] => [0, 1, 2].map((c) => x.values[(b * 3 + c) * n + i]!)
    const y = filled([m, 3, n], (q) => f(pixel(Math.floor(q / (3 * n)), q % n))[Math.floor(q / n) % 3]!)
    return { args: { [from]: x }, want: { [to]: y }, within: 2e-6 }
  }

export const imageReferences: Readonly<Record<string, Reference>> = {
  sobel: around((at) => {
    const across = weighed(at, (u, v) => v * (2 - Math.abs(u))),
      along = weighed(at, (u, v) => u * (2 - Math.abs(v)))
    return Math.hypot(across, along)
  }, 3e-6),
  laplacian: around((at) => at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4 * at(0, 0), 2e-6),
  dilate3: around((at) => Math.max(...window(at)), 0),
  erode3: around((at) => Math.min(...window(at)), 0),
  separableFilter5: (m, n, k) => {
    const x = floats([m, n, k], 1),
      [down, across] = [floats([5], 2), floats([5], 3)],
      read = reader(x, [n, k]),
      steps = [0, 1, 2, 3, 4]
    const y = filled([m, n, k], (q) => {
      const [p, i, j] = [Math.floor(q / (n * k)), Math.floor(q / k) % n, q % k]
      return sum(
        steps.flatMap((u) => steps.map((v) => down.values[u]! * across.values[v]! * read(p, i + u - 2, j + v - 2))),
      )
    })
    return { args: { x, down, across }, want: { y }, within: 1e-5 }
  },
  flipRows: (m, n, k) => {
    const x = floats([m, n, k], 1),
      read = reader(x, [n, k])
    const y = filled([m, n, k], (q) => read(Math.floor(q / (n * k)), Math.floor(q / k) % n, k - 1 - (q % k)))
    return { args: { x }, want: { y } }
  },
  depthToSpace2: (m, n, k) => {
    const x = floats([m, 2, 2, n, k], 1)
    const y = filled([m, 2 * n, 2 * k], (q) => {
      const [p, i, j] = [Math.floor(q / (4 * n * k)), Math.floor(q / (2 * k)) % (2 * n), q % (2 * k)]
      return x.values[(((p * 2 + (i % 2)) * 2 + (j % 2)) * n + (i >> 1)) * k + (j >> 1)]!
    })
    return { args: { x }, want: { y } }
  },
  spaceToDepth2: (m, n, k) => {
    const x = floats([m, 2 * n, 2 * k], 1)
    const y = filled([m, 2, 2, n, k], (q) => {
      const [p, u, v] = [Math.floor(q / (4 * n * k)), Math.floor(q / (2 * n * k)) % 2, Math.floor(q / (n * k)) % 2]
      const [i, j] = [Math.floor(q / k) % n, q % k]
      return x.values[(p * 2 * n + 2 * i + u) * 2 * k + 2 * j + v]!
    })
    return { args: { x }, want: { y } }
  },
  rgbToYuv: converted('rgb', 'yuv', ([r = 0, g = 0, b = 0]) => {
    const gray = 0.299 * r + 0.587 * g + 0.114 * b
    return [gray, 0.492 * (b - gray), 0.877 * (r - gray)]
  }),
  yuvToRgb: converted('yuv', 'rgb', ([y = 0, u = 0, v = 0]) => [
    y + 1.14025 * v,
    y - 0.39473 * u - 0.58081 * v,
    y + 2.03252 * u,
  ]),
  normalizeChannels: (m, n, k) => {
    const x = floats([m, k, n], 1),
      mean = floats([k], 2),
      deviation = filled([k], (c) => 1 + c)
    const y = filled([m, k, n], (q) => {
      const c = Math.floor(q / n) % k
      return (x.values[q]! - mean.values[c]!) / deviation.values[c]!
    })
    return { args: { x, mean, deviation }, want: { y }, within: 1e-6 }
  },
}
