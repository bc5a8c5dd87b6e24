// Tensor-core instructions. What nvcc makes of `wmma` for every type and shape multiplies whole numbers exactly; `mma`
// is fed by `ldmatrix`, as programs do; and loads count as the machine code does (read off sm_90 code).
import { beforeAll, describe, expect, test } from 'vitest'
import { f16Bits } from '../../src/ir/index.ts'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf, runPtx } from './compile.ts'

type Encode = (x: readonly number[]) => ArrayBufferView
const halves: Encode = (x) => Uint16Array.from(x, f16Bits)
const brains: Encode = (x) => Uint16Array.from(x, (y) => new Uint32Array(Float32Array.of(y).buffer)[0]! >>> 16)
const floats: Encode = (x) => Float32Array.from(x)
const codes: Readonly<Record<string, Encode>> = {
  half: halves,
  __nv_bfloat16: brains,
  float: floats,
  double: (x) => Float64Array.from(x),
  int: (x) => Int32Array.from(x),
  'unsigned char': (x) => Uint8Array.from(x, Math.abs),
  'signed char': (x) => Int8Array.from(x),
}

/** Small whole numbers, from −3 to 3 without a pattern. */
const numbers = (n: number, from: number): number[] =>
  Array.from({ length: n }, (_, i) => ((i * i * 7 + i * 3 + from) % 7) - 3)

interface Case {
  readonly m: number
  readonly n: number
  readonly k: number
  readonly type: string
  readonly sum: string
  readonly fragment?: string
  readonly a?: string
  readonly b?: string
  readonly c?: string
  readonly shared?: boolean
}

/** Copies of both factors, of that many elements, in shared memory. */
const sharedCopies = (type: string, ofA: number, ofB: number): string =>
  `__shared__ __align__(128) ${type} sa[${ofA}], sb[${ofB}]; ` +
  `for (int i = threadIdx.x; i < ${ofA}; i += 32) sa[i] = a[i]; ` +
  `for (int i = threadIdx.x; i < ${ofB}; i += 32) sb[i] = b[i]; __syncthreads();`

const source = (
  { m, n, k, type, sum, fragment = type, a = 'row', b = 'col', c = 'row', shared = false }: Case,
  name: string,
): string => `
extern "C" __global__ void ${name}(const ${type}* a, const ${type}* b, ${sum}* c) {
  ${shared ? sharedCopies(type, m * k, k * n) : ''}
  wmma::fragment<wmma::matrix_a, ${m}, ${n}, ${k}, ${fragment}, wmma::${a}_major> fa; \
wmma::fragment<wmma::matrix_b, ${m}, ${n}, ${k}, ${fragment}, wmma::${b}_major> fb; \
wmma::fragment<wmma::accumulator, ${m}, ${n}, ${k}, ${sum}> fc;
  wmma::load_matrix_sync(fa, ${shared ? 'sa' : 'a'}, ${a === 'row' ? k : m}); wmma::load_matrix_sync(fb, \
${shared ? 'sb' : 'b'}, ${b === 'row' ? n : k});
  wmma::load_matrix_sync(fc, c, ${c === 'row' ? n : m}, wmma::mem_${c}_major); wmma::mma_sync(fc, fa, fb, fc); \
wmma::store_matrix_sync(c, fc, ${c === 'row' ? n : m}, wmma::mem_${c}_major);
}`

const h: Case = { m: 16, n: 16, k: 16, type: 'half', sum: 'float' }
const cases: readonly Case[] = [
  h,
  { ...h, a: 'col' },
  { ...h, b: 'row' },
  { ...h, c: 'col' },
  { ...h, sum: 'half' },
  { ...h, m: 32, n: 8 },
  { ...h, m: 8, n: 32 },
  { ...h, shared: true },
  { ...h, shared: true, a: 'col', b: 'row' },
  { ...h, m: 32, n: 8, shared: true, a: 'col', b: 'row' },
  { ...h, type: '__nv_bfloat16' },
  { ...h, type: '__nv_bfloat16', m: 8, n: 32, b: 'row' },
  { ...h, type: 'unsigned char', sum: 'int' },
  { ...h, type: 'signed char', sum: 'int' },
  { ...h, type: 'signed char', sum: 'int', m: 32, n: 8, a: 'col' },
  { ...h, type: 'unsigned char', sum: 'int', shared: true, b: 'row', c: 'col' },
  { ...h, k: 8, type: 'float', fragment: 'wmma::precision::tf32' },
  { ...h, k: 8, type: 'float', fragment: 'wmma::precision::tf32', a: 'col', b: 'row' },
  { m: 8, n: 8, k: 4, type: 'double', sum: 'double' },
  { m: 8, n: 8, k: 4, type: 'double', sum: 'double', a: 'col', b: 'row', c: 'col' },
]
const header = '#include <mma.h>\n#include <cuda_bf16.h>\nusing namespace nvcuda;\n'
const program = header + cases.map((c, i) => source(c, `k${i}`)).join('\n')

/** Element (i, j) of a matrix of `rows` × `columns` in either order. */
const at = (x: readonly number[], i: number, j: number, rows: number, columns: number, order: string): number =>
  x[order === 'row' ? i * columns + j : j * rows + i]!

function expected(
  { m, n, k, type, a = 'row', b = 'col', c = 'row' }: Case,
  x: readonly number[],
  y: readonly number[],
  z: readonly number[],
): number[] {
  const plus = type === 'unsigned char' ? Math.abs : (v: number): number => v
  const out = [...z]
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++)
      for (let l = 0; l < k; l++)
        out[c === 'row' ? i * n + j : j * m + i]! += plus(at(x, i, l, m, k, a)) * plus(at(y, l, j, k, n, b))
  return out
}

const requests = (run: ReturnType<typeof runPtx>, space: string, kind: 'load' | 'store'): number =>
  run.counters.sites.filter((s) => s.space === space && s.op === kind).reduce((sum, s) => sum + s.requests, 0)

describe.skipIf(!nvccAvailable())('wmma', () => {
  let ptx = ''
  beforeAll(() => {
    ptx = ptxOf(program)
  })
  test.each(
    cases.map(
      (c, i) =>
        [
          `m${c.m}n${c.n}k${c.k} ${c.type} ${c.sum} ${c.a ?? 'row'} ${c.b ?? 'col'} ` +
            `${c.c ?? 'row'}${c.shared ? ' shared' : ''}`,
          c,
          i,
        ] as const,
    ),
  )('%s', (_, c, i) => {
    const [x, y, z] = [numbers(c.m * c.k, 1), numbers(c.k * c.n, 4), numbers(c.m * c.n, 2)]
    const out = codes[c.sum]!(z)
    runPtx(ptx, { entry: `k${i}`, block: [32, 1, 1], args: [codes[c.type]!(x), codes[c.type]!(y), out] })
    expect([...(out as Float32Array)]).toEqual([...(codes[c.sum]!(expected(c, x, y, z)) as Float32Array)])
  })

  test('a fragment of halves is four loads of 4 bytes, one of sums four of 8', () => {
    const run = runPtx(ptx, {
      entry: 'k0',
      block: [32, 1, 1],
      args: [halves(numbers(256, 1)), halves(numbers(256, 1)), floats(numbers(256, 1))],
    })
    expect([requests(run, 'global', 'load'), requests(run, 'global', 'store')]).toEqual([12, 4])
    expect(
      run.counters.sites.filter((s) => s.space === 'global' && s.op === 'load').map((s) => s.sectors / s.requests),
    ).toEqual([...Array<number>(8).fill(8), ...Array<number>(4).fill(8)])
  })
  // Loads of A and B in code for sm_90: by global memory 4 bytes a lane, bytes across one by one; by shared memory one
  // instruction each.
  test.each([
    [0, 'global', 8 + 4],
    [1, 'global', 8 + 4],
    [12, 'global', 4 + 4],
    [7, 'shared', 2],
    [8, 'shared', 2],
    [18, 'global', 2 + 1],
  ])('case %i loads from %s memory %i times', (i, space, count) => {
    const c = cases[i]!
    const run = runPtx(ptx, {
      entry: `k${i}`,
      block: [32, 1, 1],
      args: [
        codes[c.type]!(numbers(c.m * c.k, 1)),
        codes[c.type]!(numbers(c.k * c.n, 1)),
        codes[c.sum]!(numbers(c.m * c.n, 1)),
      ],
    })
    expect(requests(run, space, 'load')).toBe(count)
  })
})

const pair = `#include <cuda_fp16.h>
extern "C" __global__ void k(const half* a, const half* b, float* c) {
  __shared__ __align__(16) half sa[256], sb[128];
  int l = threadIdx.x;
  for (int i = l; i < 256; i += 32) sa[i] = a[i];
  for (int i = l; i < 128; i += 32) sb[i] = b[i];
  __syncthreads();
  unsigned pa = __cvta_generic_to_shared(sa + (l % 16) * 16 + (l / 16) * 8), pb = __cvta_generic_to_shared(sb + (l \
% 16) * 8), x[4], y[2];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(x[0]), "=r"(x[1]), \
"=r"(x[2]), "=r"(x[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(pb));
  float d[4] = {0, 0, 0, 0};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, \
{%0,%1,%2,%3};" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), \
"r"(y[0]), "r"(y[1]));
  for (int i = 0; i < 4; i++) c[(l / 4 + 8 * (i / 2)) * 8 + (l % 4) * 2 + i % 2] = d[i];
}`

describe.skipIf(!nvccAvailable())('mma', () => {
  const [x, y] = [numbers(256, 1), numbers(128, 5)]
  const out = floats(numbers(128, 0).map(() => 0)) as Float32Array
  let run: ReturnType<typeof runPtx>
  beforeAll(() => {
    run = runPtx(ptxOf(pair), { block: [32, 1, 1], args: [halves(x), halves(y), out] })
  })
  test('on what ldmatrix loads', () =>
    expect([...out]).toEqual(
      expected(
        { ...h, n: 8, b: 'row' },
        x,
        y,
        numbers(128, 0).map(() => 0),
      ),
    ))
  test('ldmatrix.x4 is one request of as many passes as blocks', () => {
    const loads = run.counters.sites.filter((s) => s.space === 'shared' && s.op === 'load')
    expect([loads.reduce((n, s) => n + s.requests, 0), loads.reduce((n, s) => n + s.wavefronts, 0)]).toEqual([
      2,
      4 * 1 + 2 * 1 + 4,
    ])
  })
  test('the report says that time of tensor cores is not modelled', () =>
    expect(run.ptx.notes.join()).toMatch(/how long tensor cores take is not modelled/))
})

const text = (body: string): string =>
  `.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) { .reg .b32 %a<9>; .reg ` +
  `.f32 %f<9>; .reg .b64 %o; ld.param.u64 %o, [out];\nmov.u32 %a0, %laneid; shl.b32 %a1, %a0, 16; or.b32 %a1, ` +
  `%a1, %a0; mov.u32 %a2, 0; mov.u32 %a3, 0; mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; ` +
  `mov.f32 %f4, %f1;\n${body}\nmad.wide.u32 %o, %a0, 4, %o; st.global.b32 [%o], %a2; ret; }`

test('movmatrix swaps rows and columns', () => {
  const out = new Uint32Array(32)
  runPtx(text('movmatrix.sync.aligned.m8n8.trans.b16 %a2, %a1;'), { block: [32, 1, 1], args: [out] })
  // Lane 4g + t held the number of its lane twice, as row g, columns 2t and 2t + 1.
  expect([...out]).toEqual(
    Array.from({ length: 32 }, (_, l) => {
      const [g, t] = [l >> 2, l & 3]
      const lane = (row: number, column: number): number => 4 * row + (column >> 1)
      return lane(2 * t, g) + 65536 * lane(2 * t + 1, g)
    }),
  )
})

describe('refused by name', () => {
  test.each([
    'mma.sync.aligned.m99999999n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%a0,%a1}, {%a0}, {%f1,%f2,%f3,%f4};',
    'mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3}, {%a0,%a1,%a2,%a3}, {%a0,%a1}, {%f1,%f2,%f3,%f4};',
    'mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f2,%f3,%f4}, {%a0,%a1,%a2,%a3}, {%a0,%a1}, ' +
      '{%f1,%f2,%f3,%f4};',
    'mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%a0,%a1}, {%a0,%a1}, ' +
      '{%f1,%f2,%f3,%f4}, %a3, 0x0;',
    'mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%a0,%a1}, {%a0,%a1}, {%f1,%f2,%f3,%f4};',
    'ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a1}, [%a0];',
  ])('%s', (body) =>
    expect(() => parsePtx(text(body), 'k.ptx', {})).toThrow(
      /a tensor-core instruction of this type or shape, cannot be analysed/,
    ))
})
