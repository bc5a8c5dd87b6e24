// In: nothing. Out: products of square matrices in WGSL, f32, along tilings that others published: their shapes,
// written out here in several spellings (accumulators as scalars, as vectors, as arrays in loops; indices of two
// axes or one).
// The one idea: a model that orders schedules must order kernels that its own compiler never wrote. The list was frozen
// by name before it was first looked at; every size is a multiple of every tile.
import type { Dim3 } from '../../src/ir/index.ts'

export interface Tiling {
  readonly name: string
  readonly text: (n: number) => string
  readonly grid: (n: number) => Dim3
}

const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)
const lines = (list: readonly string[], indent: number): string => list.map((l) => ' '.repeat(indent) + l).join('\n')

interface Shape {
  readonly block: readonly [number, number]
  /** Elements of a and b: `f32`, or four of a row. */
  readonly a?: 'vec4f'
  readonly b?: 'vec4f'
  readonly c?: 'vec4f'
  readonly module?: string
}

const kernel = (n: number, s: Shape, body: string): string =>
  `@group(0) @binding(0) var<storage, read> a: array<${s.a ?? 'f32'}>;
@group(0) @binding(1) var<storage, read> b: array<${s.b ?? 'f32'}>;
@group(0) @binding(2) var<storage, read_write> c: array<${s.c ?? 'f32'}>;
const n = ${n}u;
${s.module ?? ''}
@compute @workgroup_size(${s.block.join(', ')})
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u, @builtin(local_invocation_index) rank: u32) {
${body}
}
`

/** One output a thread; `down`: neighbouring threads take neighbouring rows. */
const naive = (x: number, y: number, o: { readonly down?: true; readonly unrolled?: number } = {}): Tiling => ({
  name: `naive ${x}x${y}${o.down ? ' down' : ''}${o.unrolled ? ` unrolled ${o.unrolled}` : ''}`,
  grid: (n) => [n / x, n / y, 1],
  text: (n) =>
    kernel(
      n,
      { block: [x, y] },
      `  let row = id.${o.down ? 'x' : 'y'};
  let column = id.${o.down ? 'y' : 'x'};
  var sum = 0.0;
  for (var k = 0u; k < n; k += ${o.unrolled ?? 1}u) {
${lines(
  upTo(o.unrolled ?? 1).map((u) => `sum += a[row * n + k + ${u}] * b[(k + ${u}) * n + column];`),
  4,
)}
  }
  c[row * n + column] = sum;`,
    ),
})

/** One output a thread, a linear workgroup along a row. */
const linear = (threads: number): Tiling => ({
  name: `naive linear ${threads}`,
  grid: (n) => [(n * n) / threads, 1, 1],
  text: (n) =>
    kernel(
      n,
      { block: [threads, 1] },
      `  let row = id.x / n;
  let column = id.x % n;
  var sum = 0.0;
  for (var k = 0u; k < n; k++) {
    sum = fma(a[row * n + k], b[k * n + column], sum);
  }
  c[id.x] = sum;`,
    ),
})

/** Rows of four columns from memory, without workgroup memory; a is read one by one or four at a time. */
const fours = (x: number, y: number, rows: number, wide: boolean): Tiling => ({
  name: `registers ${rows}x4 of ${x}x${y}${wide ? ' wide a' : ''}`,
  grid: (n) => [n / (4 * x), n / (rows * y), 1],
  text: (n) =>
    kernel(
      n,
      { block: [x, y], b: 'vec4f', c: 'vec4f', ...(wide && { a: 'vec4f' }) },
      `  let row = id.y * ${rows};
  let column = id.x;
${lines(
  upTo(rows).map((r) => `var sum${r} = vec4f();`),
  2,
)}
  for (var k = 0u; k < n; k += ${wide ? 4 : 1}) {
${lines(
  wide
    ? [
        ...upTo(4).map((u) => `let b${u} = b[(k + ${u}) * (n / 4) + column];`),
        ...upTo(rows).flatMap((r) => [
          `let a${r} = a[(row + ${r}) * (n / 4) + k / 4];`,
          `sum${r} += a${r}.x * b0 + a${r}.y * b1 + a${r}.z * b2 + a${r}.w * b3;`,
        ]),
      ]
    : ['let right = b[k * (n / 4) + column];', ...upTo(rows).map((r) => `sum${r} += a[(row + ${r}) * n + k] * right;`)],
  4,
)}
  }
${lines(
  upTo(rows).map((r) => `c[(row + ${r}) * (n / 4) + column] = sum${r};`),
  2,
)}`,
    ),
})

/** Square tiles of both factors, one output a thread. */
const tiled = (t: number, o: { readonly linear?: true; readonly flat?: true } = {}): Tiling => ({
  name: `tile ${t}${o.linear ? ' linear' : ''}${o.flat ? ' flat' : ''}`,
  grid: (n) => [n / t, n / t, 1],
  text: (n) => {
    const at = (tile: string, y: string, x: string): string =>
      o.flat ? `${tile}[${y} * ${t} + ${x}]` : `${tile}[${y}][${x}]`
    const type = o.flat ? `array<f32, ${t * t}>` : `array<array<f32, ${t}>, ${t}>`
    return kernel(
      n,
      {
        block: o.linear ? [t * t, 1] : [t, t],
        module: `var<workgroup> left: ${type};\nvar<workgroup> right: ${type};`,
      },
      `  let x = ${o.linear ? `rank % ${t}` : 'local.x'};
  let y = ${o.linear ? `rank / ${t}` : 'local.y'};
  let row = group.y * ${t} + y;
  let column = group.x * ${t} + x;
  var sum = 0.0;
  for (var k0 = 0u; k0 < n; k0 += ${t}) {
    ${at('left', 'y', 'x')} = a[row * n + k0 + x];
    ${at('right', 'y', 'x')} = b[(k0 + y) * n + column];
    workgroupBarrier();
    for (var k = 0u; k < ${t}; k++) {
      sum += ${at('left', 'y', 'k')} * ${at('right', 'k', 'x')};
    }
    workgroupBarrier();
  }
  c[row * n + column] = sum;`,
    )
  },
})

/** Tiles of bm × bk and bk × bn. */
const tilesOf = (bm: number, bn: number, bk: number): string =>
  `var<workgroup> left: array<f32, ${bm * bk}>;\nvar<workgroup> right: array<f32, ${bk * bn}>;`

/** All threads of a workgroup fill both tiles, a word at a time. */
const filled = (
  bm: number,
  bn: number,
  bk: number,
  threads: number,
): string => `    for (var i = rank; i < ${bm * bk}; i += ${threads}) {
      left[i] = a[(group.y * ${bm} + i / ${bk}) * n + k0 + i % ${bk}];
    }
    for (var i = rank; i < ${bk * bn}; i += ${threads}) {
      right[i] = b[(k0 + i / ${bn}) * n + group.x * ${bn} + i % ${bn}];
    }
    workgroupBarrier();`

/** Tiles of bm × bk and bk × bn, `tm` outputs of a column a thread. */
const columns = (bm: number, bn: number, bk: number, tm: number): Tiling => ({
  name: `1d ${bm}x${bn} k${bk} ${tm}`,
  grid: (n) => [n / bn, n / bm, 1],
  text: (n) => {
    const threads = (bm * bn) / tm
    return kernel(
      n,
      {
        block: [threads, 1],
        module: tilesOf(bm, bn, bk),
      },
      `  let x = rank % ${bn};
  let y = (rank / ${bn}) * ${tm};
  var sums: array<f32, ${tm}>;
  for (var k0 = 0u; k0 < n; k0 += ${bk}) {
${filled(bm, bn, bk, threads)}
    for (var k = 0u; k < ${bk}; k++) {
      let value = right[k * ${bn} + x];
      for (var r = 0u; r < ${tm}; r++) {
        sums[r] += left[(y + r) * ${bk} + k] * value;
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < ${tm}; r++) {
    c[(group.y * ${bm} + y + r) * n + group.x * ${bn} + x] = sums[r];
  }`,
    )
  },
})

interface Two {
  readonly bm: number
  readonly bn: number
  readonly bk: number
  readonly tm: number
  readonly tn: number
  /** Sums as arrays in loops, or as scalars written out. */
  readonly written?: true
  /** Outputs of a thread lie a thread's width apart instead of beside each other. */
  readonly apart?: true
}

/** Tiles of bm × bk and bk × bn, tm × tn outputs a thread. */
const both = ({ bm, bn, bk, tm, tn, written, apart }: Two): Tiling => ({
  name: `2d ${bm}x${bn} k${bk} ${tm}x${tn}${written ? ' written' : ''}${apart ? ' apart' : ''}`,
  grid: (n) => [n / bn, n / bm, 1],
  text: (n) => {
    const [wide, high] = [bn / tn, bm / tm]
    const threads = wide * high
    const row = (r: number | string): string => (apart ? `(y + ${r} * ${high})` : `(y * ${tm} + ${r})`)
    const column = (q: number | string): string => (apart ? `(x + ${q} * ${wide})` : `(x * ${tn} + ${q})`)
    const place = (r: number | string, q: number | string): string =>
      `c[(group.y * ${bm} + ${row(r)}) * n + group.x * ${bn} + ${column(q)}]`
    const inner = written
      ? lines(
          [
            ...upTo(tm).map((r) => `let l${r} = left[${row(r)} * ${bk} + k];`),
            ...upTo(tn).map((q) => `let r${q} = right[k * ${bn} + ${column(q)}];`),
            ...upTo(tm * tn).map(
              (i) =>
                `s${Math.floor(i / tn)}_${i % tn} = fma(l${Math.floor(i / tn)}, r${i % tn}, ` +
                `s${Math.floor(i / tn)}_${i % tn});`,
            ),
          ],
          6,
        )
      : `      for (var r = 0u; r < ${tm}; r++) { ls[r] = left[${row('r')} * ${bk} + k]; }
      for (var q = 0u; q < ${tn}; q++) { rs[q] = right[k * ${bn} + ${column('q')}]; }
      for (var r = 0u; r < ${tm}; r++) {
        for (var q = 0u; q < ${tn}; q++) { sums[r * ${tn} + q] += ls[r] * rs[q]; }
      }`
    return kernel(
      n,
      {
        block: [threads, 1],
        module: tilesOf(bm, bn, bk),
      },
      `  let x = rank % ${wide};
  let y = rank / ${wide};
${
  written
    ? lines(
        upTo(tm * tn).map((i) => `var s${Math.floor(i / tn)}_${i % tn} = 0.0;`),
        2,
      )
    : `  var sums: array<f32, ${tm * tn}>;
  var ls: array<f32, ${tm}>;
  var rs: array<f32, ${tn}>;`
}
  for (var k0 = 0u; k0 < n; k0 += ${bk}) {
${filled(bm, bn, bk, threads)}
    for (var k = 0u; k < ${bk}; k++) {
${inner}
    }
    workgroupBarrier();
  }
${
  written
    ? lines(
        upTo(tm * tn).map((i) => `${place(Math.floor(i / tn), i % tn)} = s${Math.floor(i / tn)}_${i % tn};`),
        2,
      )
    : `  for (var r = 0u; r < ${tm}; r++) {
    for (var q = 0u; q < ${tn}; q++) { ${place('r', 'q')} = sums[r * ${tn} + q]; }
  }`
}`,
    )
  },
})

interface Wide {
  readonly bm: number
  readonly bn: number
  readonly bk: number
  readonly tm: number
  /** Vectors of four columns a thread. */
  readonly vectors: number
  /** Two tiles of each factor: one is loaded while the other is used. */
  readonly twice?: true
  readonly pad?: number
}

/** Vectors of four from memory; the left tile is turned, so that a thread reads its rows as vectors, too. */
const turned = ({ bm, bn, bk, tm, vectors, twice, pad = 0 }: Wide): Tiling => ({
  name: `vec4 ${bm}x${bn} k${bk} ${tm}x${4 * vectors}${twice ? ' twice' : ''}${pad ? ` pad ${pad}` : ''}`,
  grid: (n) => [n / bn, n / bm, 1],
  text: (n) => {
    const wide = bn / (4 * vectors),
      threads = wide * (bm / tm)
    const pitch = bm + pad
    const buffers = twice ? 2 : 1
    const load = (k0: string, to: string): readonly string[] => [
      `for (var i = rank; i < ${(bm * bk) / 4}; i += ${threads}) {`,
      `  let four = a[(group.y * ${bm} + i / ${bk / 4}) * (n / 4) + (${k0}) / 4 + i % ${bk / 4}];`,
      `  let y = i / ${bk / 4};`,
      `  let k = (i % ${bk / 4}) * 4;`,
      ...['x', 'y', 'z', 'w'].map((m, u) => `  left[${to}${bk * pitch} + (k + ${u}) * ${pitch} + y] = four.${m};`),
      '}',
      `for (var i = rank; i < ${(bk * bn) / 4}; i += ${threads}) {`,
      `  right[${to}${(bk * bn) / 4} + i] = ` +
        `b[(${k0} + i / ${bn / 4}) * (n / 4) + group.x * ${bn / 4} + i % ${bn / 4}];`,
      '}',
    ]
    const use = (from: string): readonly string[] => [
      `for (var k = 0u; k < ${bk}; k++) {`,
      ...upTo(vectors).map(
        (v) => `  let r${v} = right[${from}${(bk * bn) / 4} + k * ${bn / 4} + x * ${vectors} + ${v}];`,
      ),
      ...upTo(tm).flatMap((r) => [
        `  let l${r} = left[${from}${bk * pitch} + k * ${pitch} + y * ${tm} + ${r}];`,
        ...upTo(vectors).map((v) => `  s${r}_${v} = fma(vec4f(l${r}), r${v}, s${r}_${v});`),
      ]),
      '}',
    ]
    return kernel(
      n,
      {
        block: [threads, 1],
        a: 'vec4f',
        b: 'vec4f',
        c: 'vec4f',
        module:
          `var<workgroup> left: array<f32, ${buffers * bk * pitch}>;\n` +
          `var<workgroup> right: array<vec4f, ${(buffers * bk * bn) / 4}>;`,
      },
      `  let x = rank % ${wide};
  let y = rank / ${wide};
${lines(
  upTo(tm).flatMap((r) => upTo(vectors).map((v) => `var s${r}_${v} = vec4f();`)),
  2,
)}
${
  twice
    ? `${lines(load('0u', '0 * '), 2)}
  workgroupBarrier();
  for (var k0 = 0u; k0 < n; k0 += ${bk}) {
    let now = (k0 / ${bk}) % 2;
    let next = 1 - now;
    if (k0 + ${bk} < n) {
${lines(load(`k0 + ${bk}`, 'next * '), 6)}
    }
${lines(use('now * '), 4)}
    workgroupBarrier();
  }`
    : `  for (var k0 = 0u; k0 < n; k0 += ${bk}) {
${lines(load('k0', '0 * '), 4)}
    workgroupBarrier();
${lines(use('0 * '), 4)}
    workgroupBarrier();
  }`
}
${lines(
  upTo(tm).flatMap((r) =>
    upTo(vectors).map(
      (v) =>
        `c[(group.y * ${bm} + y * ${tm} + ${r}) * (n / 4) + group.x * ${bn / 4} + x * ${vectors} + ${v}] = s${r}_${v};`,
    ),
  ),
  2,
)}`,
    )
  },
})

/** Tiles of vectors of four; a thread takes four rows of four columns, as packed products for browsers do. */
const packed = (wx: number, wy: number, inner: number): Tiling => ({
  name: `packed ${wx}x${wy} k${inner}`,
  grid: (n) => [n / (4 * wx), n / (4 * wy), 1],
  text: (n) => {
    const rowsOfLeft = 4 * wy
    return kernel(
      n,
      {
        block: [wx, wy],
        a: 'vec4f',
        b: 'vec4f',
        c: 'vec4f',
        module:
          `var<workgroup> left: array<array<vec4f, ${inner / 4}>, ${rowsOfLeft}>;\n` +
          `var<workgroup> right: array<array<vec4f, ${wx}>, ${inner}>;`,
      },
      `  let row = local.y * 4;
  var sums: array<vec4f, 4>;
  for (var t = 0u; t < n / ${inner}; t++) {
    for (var r = 0u; r < 4; r++) {
      for (var q = local.x; q < ${inner / 4}; q += ${wx}) {
        left[row + r][q] = a[(group.y * ${rowsOfLeft} + row + r) * (n / 4) + t * ${inner / 4} + q];
      }
    }
    for (var r = local.y; r < ${inner}; r += ${wy}) {
      right[r][local.x] = b[(t * ${inner} + r) * (n / 4) + group.x * ${wx} + local.x];
    }
    workgroupBarrier();
    for (var k = 0u; k < ${inner / 4}; k++) {
      let b0 = right[k * 4][local.x];
      let b1 = right[k * 4 + 1][local.x];
      let b2 = right[k * 4 + 2][local.x];
      let b3 = right[k * 4 + 3][local.x];
      for (var r = 0; r < 4; r++) {
        let four = left[row + u32(r)][k];
        sums[r] += four.x * b0 + four.y * b1 + four.z * b2 + four.w * b3;
      }
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < 4; r++) {
    c[(group.y * ${rowsOfLeft} + row + r) * (n / 4) + group.x * ${wx} + local.x] = sums[r];
  }`,
    )
  },
})

export const sizes = [1024, 2048] as const

export const tilings: readonly Tiling[] = [
  naive(8, 8),
  naive(16, 16),
  naive(32, 8),
  naive(64, 4),
  naive(16, 16, { down: true }),
  naive(16, 16, { unrolled: 4 }),
  naive(32, 8, { unrolled: 16 }),
  linear(256),
  fours(8, 8, 1, false),
  fours(16, 16, 4, false),
  fours(8, 8, 4, true),
  fours(16, 8, 8, true),
  tiled(8),
  tiled(16),
  tiled(32),
  tiled(16, { flat: true }),
  tiled(32, { linear: true }),
  columns(32, 32, 8, 4),
  columns(64, 64, 8, 8),
  columns(64, 64, 16, 16),
  columns(128, 64, 8, 16),
  both({ bm: 32, bn: 32, bk: 16, tm: 2, tn: 2 }),
  both({ bm: 32, bn: 64, bk: 16, tm: 4, tn: 4, written: true }),
  both({ bm: 64, bn: 64, bk: 8, tm: 4, tn: 4 }),
  both({ bm: 64, bn: 64, bk: 16, tm: 4, tn: 4, written: true }),
  both({ bm: 64, bn: 64, bk: 16, tm: 4, tn: 4, apart: true }),
  both({ bm: 64, bn: 64, bk: 8, tm: 8, tn: 8, written: true }),
  both({ bm: 128, bn: 128, bk: 8, tm: 8, tn: 8 }),
  both({ bm: 128, bn: 128, bk: 8, tm: 8, tn: 8, apart: true, written: true }),
  both({ bm: 128, bn: 64, bk: 16, tm: 8, tn: 4, apart: true }),
  turned({ bm: 64, bn: 64, bk: 16, tm: 4, vectors: 1 }),
  turned({ bm: 64, bn: 64, bk: 8, tm: 8, vectors: 1, pad: 4 }),
  turned({ bm: 128, bn: 64, bk: 16, tm: 8, vectors: 1 }),
  turned({ bm: 128, bn: 128, bk: 8, tm: 8, vectors: 2 }),
  turned({ bm: 128, bn: 128, bk: 16, tm: 8, vectors: 2, pad: 4 }),
  turned({ bm: 64, bn: 64, bk: 8, tm: 4, vectors: 1, twice: true }),
  turned({ bm: 128, bn: 128, bk: 8, tm: 8, vectors: 2, twice: true }),
  packed(8, 8, 32),
  packed(16, 16, 16),
  packed(16, 4, 32),
]
