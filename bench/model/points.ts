// The launches on which the model is calibrated and judged: kernels of the catalogue at many sizes, by family. A point
// is a kernel, values for its overrides, and a grid. Families are whole on one side: calibration or held out.
export interface Point {
  readonly family: string
  /** File of `examples/catalogue`, without `.wgsl`. */
  readonly kernel: string
  readonly overrides: Readonly<Record<string, number>>
  readonly grid: readonly [number, number, number]
  /** Buffers that running cannot size or whose contents matter: elements, and whether they are random. */
  readonly buffers?: Readonly<Record<string, { readonly count: number; readonly fill?: 'random' | 'zero' }>>
}

const k = 1024,
  M = 1024 * 1024
const point = (
  family: string,
  kernel: string,
  overrides: Point['overrides'],
  grid: readonly [number, number?, number?],
  buffers?: Point['buffers'],
): Point => ({ family, kernel, overrides, grid: [grid[0], grid[1] ?? 1, grid[2] ?? 1], ...(buffers && { buffers }) })

/** Sizes too large to be found by running. */
const square = (n: number): Point['buffers'] => ({ input: { count: n * n, fill: 'random' }, output: { count: n * n } })

const streams: Point[] = [
  ...[256, 16 * k, 128 * k, M, 4 * M, 8 * M].map((n) => point('stream', 'add', { n, block: 256 }, [n / 256])),
  ...[64, 128, 512, 1024].map((block) => point('stream', 'add', { n: 2 * M, block }, [(2 * M) / block])),
  ...[64 * k, M, 4 * M, 8 * M].map((n) => point('stream', 'add-vec4', { n, block: 256 }, [n / 256])),
  ...[64, 128, 512, 1024].map((block) => point('stream', 'add-vec4', { n: 2 * M, block }, [(2 * M) / block])),
  ...[M, 8 * M].map((n) => point('stream', 'add-vec2', { n }, [n / 256])),
  ...[M, 8 * M].map((n) => point('stream', 'add-packed', { n }, [n / 256])),
  ...[132, 264, 528, 1056].map((g) => point('stream', 'triad-loop', { n: 16 * M }, [g])),
  ...[M, 8 * M].map((n) => point('stream', 'nmf-update', { n }, [n / 256])),
  ...[M, 8 * M].map((n) => point('stream', 'soa', { n }, [n / 256])),
]
const strided: Point[] = [
  ...[1, 4, 8].map((offset) => point('strided', 'add-offset', { n: 8 * M, offset }, [(8 * M) / 256])),
  ...[2, 3, 4, 8, 16, 32].map((stride) => point('strided', 'add-strided', { n: M / 2, stride }, [M / 512])),
  ...[64 * k, M, 4 * M, 8 * M].map((n) => point('strided', 'gather', { n }, [n / 256])),
  ...['aos-3', 'aos-4', 'aos-8', 'aos-whole'].flatMap((name) =>
    [M, 4 * M].map((n) => point('strided', name, { n }, [n / 256])),
  ),
]
const transposes: Point[] = [k, 2 * k, 4 * k, 6 * k].flatMap((n) => [
  ...['transpose-reads', 'transpose-writes'].map((name) => point('transpose', name, { n }, [n / 32, n / 8], square(n))),
  ...['transpose-tile', 'transpose-padded', 'transpose-swizzled'].map((name) =>
    point('transpose', name, { n }, [n / 32, n / 32], square(n)),
  ),
  point('transpose', 'transpose-narrow', { n }, [n / 8, n / 8], square(n)),
])
const products: Point[] = [512, 1024, 2048].flatMap((n) => [
  ...['matmul-naive', 'matmul-corner'].map((name) => point('matrix product', name, { n }, [n / 16, n / 16])),
  ...[8, 16, 32].map((t) => point('matrix product', `matmul-tile-${t}`, { n }, [n / t, n / t])),
  point('matrix product', 'matmul-bounds', { n: n - 12 }, [n / 16, n / 16]),
  point('matrix product', 'matmul-outputs-2', { n }, [n / 32, n / 16]),
  point('matrix product', 'matmul-outputs-4', { n }, [n / 64, n / 16]),
  point('matrix product', 'matmul-registers', { n }, [n / 64, n / 64]),
])
const reductions: Point[] = [M, 4 * M, 12 * M].flatMap((n) => [
  ...['reduce-interleaved', 'reduce-compacted', 'reduce-halving'].map((name) =>
    point('reduction', name, {}, [n / 256]),
  ),
  ...['reduce-first-add', 'reduce-unrolled'].map((name) => point('reduction', name, {}, [n / 512])),
  ...[132, 528, 1056].flatMap((groups) =>
    ['reduce-many', 'reduce-subgroups', 'reduce-atomic'].map((name) =>
      point('reduction', name, { n, groups }, [groups], { input: { count: n, fill: 'random' } }),
    ),
  ),
])
const scans: Point[] = [M, 8 * M].flatMap((n) => [
  point('scan', 'scan-steps', {}, [n / 256]),
  point('scan', 'scan-tree', {}, [n / 512]),
])
const convolutions: Point[] = [k, 4 * k].flatMap((size) => [
  ...[1, 2, 4, 8].flatMap((radius) => [
    point('convolution', 'convolve-simple', { width: size, height: size, radius }, [size / 32, size / 8]),
    point('convolution', 'convolve-outputs', { width: size, height: size, radius }, [size / 32, size / 32]),
    point('convolution', 'convolve-rows', { width: size, height: size, radius }, [size / 32, size / 8]),
    point('convolution', 'convolve-columns', { width: size, height: size, radius }, [size / 32, size / 8]),
  ]),
  point('convolution', 'convolve-halo', { width: size, height: size }, [size / 32, size / 16]),
  point('convolution', 'convolve-idle', { width: size, height: size }, [Math.ceil(size / 24), size / 8]),
])
const stencils: Point[] = [
  ...[k, 2 * k, 4 * k, 6 * k].map((n) => point('stencil', 'stencil-five', { n }, [n / 32, n / 8], square(n))),
  ...[64, 128, 256].map((n) => point('stencil', 'stencil-seven', { n }, [n / 32, n / 8, n])),
]
const uniforms: Point[] = [
  point('uniform table', 'uniform-same', {}, [4096]),
  ...[1, 2, 4, 8, 16, 32].map((distinct) => point('uniform table', 'uniform-distinct', { distinct }, [4096])),
]
const arithmetic: Point[] = [
  ...['branch-threads', 'branch-warps'].map((name) => point('arithmetic', name, {}, [4096])),
  ...[33, 132, 528, 4096].flatMap((grid) =>
    ['chain-one', 'chain-four'].flatMap((name) =>
      [256, 1024].map((steps) => point('arithmetic', name, { steps }, [grid])),
    ),
  ),
  ...['sines', 'hashes', 'divisions'].flatMap((name) =>
    [132, 1056, 4096].map((grid) => point('arithmetic', name, {}, [grid])),
  ),
]
const applications: Point[] = [
  ...[512, 1024, 2048].map((width) => point('application', 'mandelbrot', { width }, [width / 16, width / 16])),
  ...[4 * k, 16 * k, 64 * k].map((n) => point('application', 'bodies', { n }, [n / 256])),
  ...[64 * k, M, 4 * M].map((n) => point('application', 'options', { n }, [n / 128])),
  ...['svm-memory', 'svm-uniform', 'svm-columns'].flatMap((name) =>
    [64, 512].map((grid) =>
      point('application', name, name === 'svm-columns' ? { samples_count: grid * 128 } : {}, [grid]),
    ),
  ),
  ...['matvec-rows', 'matvec-columns'].flatMap((name) =>
    [1024, 4096].map((n) => point('application', name, { n }, [n / 64])),
  ),
]
const latencies: Point[] = [1, 132, 1056, 4096].map((grid) =>
  point('latency', 'chase', { steps: 1024 }, [grid], { next: { count: M, fill: 'zero' } }),
)
const atomics: Point[] = [
  ...[M, 16 * M].flatMap((n) =>
    [264, 1056].flatMap((groups) =>
      ['histogram-memory', 'histogram-tile'].map((name) =>
        point('atomics', name, { n, groups }, [groups], { input: { count: n, fill: 'random' } }),
      ),
    ),
  ),
  ...[64, 1024, 4096].map((grid) => point('atomics', 'count', {}, [grid])),
]
const crowded: Point[] = [132, 528, 2112].flatMap((grid) =>
  [8, 16, 32].map((kb) => point('occupancy', `occupancy-${kb}k`, {}, [grid], { input: { count: M } })),
)

export const points: readonly Point[] = [
  ...streams,
  ...strided,
  ...transposes,
  ...products,
  ...reductions,
  ...scans,
  ...convolutions,
  ...stencils,
  ...uniforms,
  ...arithmetic,
  ...applications,
  ...latencies,
  ...atomics,
  ...crowded,
]

/** Families that the model's constants may be fitted on; all others are held out. */
export const calibration: ReadonlySet<string> = new Set([
  'stream',
  'strided',
  'transpose',
  'arithmetic',
  'latency',
  'uniform table',
  'occupancy',
])
