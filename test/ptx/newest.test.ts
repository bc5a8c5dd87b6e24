// What CUDA C++ of today compiles to: barrier objects, pipelines, bulk copies, barriers for a part of the block, sums
// of halves, numbers of 8 bits, reductions on surfaces. Each program is run and compared with the same arithmetic here;
// quarters with the values that their bits stand for, all of them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf, runPtx } from './compile.ts'

const numbers = (n: number, seed: number): Float32Array => {
  let s = seed
  return Float32Array.from({ length: n }, () => {
    s = (Math.imul(s, 1103515245) + 12345) & 0x7fffffff
    return (s % 2001) - 1000
  })
}

describe.skipIf(!nvccAvailable())('asynchronous CUDA C++', () => {
  test('cuda::barrier and memcpy_async', () => {
    const text = ptxOf(`#include <cuda/barrier>
      #include <cooperative_groups.h>
      namespace cg = cooperative_groups;
      __global__ void k(float *out, const float *in) {
        __shared__ cuda::barrier<cuda::thread_scope_block> bar; __shared__ alignas(16) float s[96];
        auto block = cg::this_thread_block();
        if (block.thread_rank() == 0) init(&bar, block.size());
        block.sync();
        cuda::memcpy_async(block, s, in + blockIdx.x * 96, sizeof(float) * 96, bar);
        bar.arrive_and_wait();
        out[blockIdx.x * 96 + threadIdx.x] = 2 * s[95 - threadIdx.x]; }`)
    const [input, out] = [numbers(288, 3), new Float32Array(288).fill(NaN)]
    const { ptx } = runPtx(text, { grid: [3, 1, 1], block: [96, 1, 1], args: [out, input] })
    expect([...out]).toEqual([...out].map((_, i) => 2 * input[96 * Math.floor(i / 96) + 95 - (i % 96)]!))
    expect(ptx.notes.join()).toContain('waiting on a barrier object')
  })

  test('a pipeline of two stages', () => {
    const text = ptxOf(`#include <cuda/pipeline>
      #include <cooperative_groups.h>
      __global__ void k(float *out, const float *in, int n) {
        auto block = cooperative_groups::this_thread_block();
        __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state; __shared__ float s[2][64];
        auto pipe = cuda::make_pipeline(block, &state); float sum = 0;
        pipe.producer_acquire(); cuda::memcpy_async(block, s[0], in, sizeof(float) * 64, pipe); pipe.producer_commit();
        for (int i = 1; i <= n; i++) {
          if (i < n) { pipe.producer_acquire(); cuda::memcpy_async(block, s[i & 1], in + i * 64, sizeof(float) * \
64, pipe); pipe.producer_commit(); }
          pipe.consumer_wait(); sum += s[(i - 1) & 1][63 - threadIdx.x]; pipe.consumer_release(); }
        out[threadIdx.x] = sum; }`)
    const [input, out] = [numbers(64 * 5, 5), new Float32Array(64).fill(NaN)]
    runPtx(text, { block: [64, 1, 1], args: [out, input, 5] })
    expect([...out]).toEqual([...out].map((_, i) => [0, 1, 2, 3, 4].reduce((n, k) => n + input[64 * k + 63 - i]!, 0)))
  })

  test('bulk copies there and back', () => {
    const text = ptxOf(`#include <cuda/barrier>
      #include <cuda/ptx>
      namespace x = cuda::device::experimental;
      __global__ void k(int *data) {
        __shared__ alignas(16) int s[320]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;
        if (threadIdx.x == 0) { init(&bar, blockDim.x); x::fence_proxy_async_shared_cta(); }
        __syncthreads();
        cuda::barrier<cuda::thread_scope_block>::arrival_token token;
        if (threadIdx.x == 0) { x::cp_async_bulk_global_to_shared(s, data + blockIdx.x * 320, sizeof(s), bar); \
token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(s)); }
        else token = bar.arrive();
        bar.wait(std::move(token));
        for (int i = threadIdx.x; i < 320; i += blockDim.x) s[i] += i;
        x::fence_proxy_async_shared_cta(); __syncthreads();
        if (threadIdx.x == 0) { x::cp_async_bulk_shared_to_global(data + blockIdx.x * 320, s, sizeof(s)); \
x::cp_async_bulk_commit_group(); x::cp_async_bulk_wait_group_read<0>(); } }`)
    const data = Int32Array.from({ length: 640 }, (_, i) => 7 * i)
    runPtx(text, { grid: [2, 1, 1], block: [96, 1, 1], args: [data] })
    expect([...data]).toEqual([...data].map((_, i) => 7 * i + (i % 320)))
  })

  test('barriers for parts of a block', () => {
    const text = ptxOf(`__global__ void k(int *out) { __shared__ int s[192]; s[threadIdx.x] = 3 * threadIdx.x;
      if (threadIdx.x < 96) { asm volatile("bar.sync 1, 96;" ::: "memory"); out[threadIdx.x] = s[95 - threadIdx.x]; }
      else { asm volatile("barrier.sync 2, 96;" ::: "memory"); out[threadIdx.x] = s[96 + (191 - threadIdx.x)]; } }`)
    const out = new Int32Array(192)
    const { counters } = runPtx(text, { block: [192, 1, 1], args: [out], check: { races: true } })
    expect([...out]).toEqual([...out].map((_, i) => 3 * (i < 96 ? 95 - i : 287 - i)))
    expect(counters.hazards).toEqual([])
  })

  test('sums of halves: many threads, few places', () => {
    const text = ptxOf(`#include <cuda_fp16.h>
      #include <cuda_bf16.h>
      __global__ void k(__half2 *a, __half *b, __nv_bfloat162 *c, __nv_bfloat16 *d, const float *x) { int i = \
threadIdx.x;
        atomicAdd(a + i % 3, __floats2half2_rn(x[i], -x[i])); atomicAdd(b + i % 5, __float2half(x[i]));
        atomicAdd(c + i % 3, __floats2bfloat162_rn(x[i], 1)); atomicAdd(d + i % 5, __float2bfloat16(x[i])); }`)
    const x = Float32Array.from({ length: 70 }, (_, i) => (i % 4) - 1)
    const [a, b, c, d] = [new Uint16Array(6), new Uint16Array(6), new Uint16Array(6), new Uint16Array(6)]
    const { counters } = runPtx(text, { block: [70, 1, 1], args: [a, b, c, d, x] })
    const sum = (of: (i: number) => number, n: number, at: number): number =>
      [...x.keys()].filter((i) => i % n === at).reduce((t, i) => t + of(i), 0)
    const half = (bits: number): number => {
      const e = (bits >> 10) & 31,
        f = bits & 1023
      return (bits & 0x8000 ? -1 : 1) * (e === 0 ? f * 2 ** -24 : (1 + f / 1024) * 2 ** (e - 15))
    }
    const brain = (bits: number): number => new Float32Array(Uint32Array.of(bits << 16).buffer)[0]!
    expect([...a].map(half)).toEqual([0, 1, 2].flatMap((k) => [sum((i) => x[i]!, 3, k), 0 - sum((i) => x[i]!, 3, k)]))
    expect([...b].map(half)).toEqual([0, 1, 2, 3, 4].map((k) => sum((i) => x[i]!, 5, k)).concat(0))
    expect([...c].map(brain)).toEqual([0, 1, 2].flatMap((k) => [sum((i) => x[i]!, 3, k), sum(() => 1, 3, k)]))
    expect([...d].map(brain)).toEqual([0, 1, 2, 3, 4].map((k) => sum((i) => x[i]!, 5, k)).concat(0))
    expect(counters.sites.filter((s) => s.op === 'atomic').reduce((n, s) => n + s.requests, 0)).toBe(4 * 3)
  })
})

const oneThread = (registers: string, body: string): string =>
  `.version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out) {\n.reg ` +
  `.b64 %in, %out, %o4; .reg .b32 %t; ${registers}\nld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 ` +
  `%t, %tid.x; mul.wide.u32 %o4, %t, 4; add.s64 %in, %in, %o4; add.s64 %out, %out, %o4;\n${body}\nret; }`

/** What the 8 bits of a quarter stand for. */
function quarter(bits: number, fraction: number, bias: number): number {
  const [e, f] = [(bits & 127) >> fraction, bits & (2 ** fraction - 1)]
  const special = fraction === 3 ? (bits & 127) === 127 : e === 31
  const size = special
    ? fraction === 2 && f === 0
      ? Infinity
      : NaN
    : e === 0
      ? f * 2 ** (1 - bias - fraction)
      : (1 + f / 2 ** fraction) * 2 ** (e - bias)
  return bits & 128 ? -size : size
}

describe.each([
  ['e4m3', 3, 7],
  ['e5m2', 2, 15],
] as const)('%s', (name, fraction, bias) => {
  const all = Array.from({ length: 256 }, (_, i) => quarter(i, fraction, bias))

  test('every number of 8 bits becomes the half that it is', () => {
    const input = Uint32Array.from({ length: 256 }, (_, i) => i | ((255 - i) << 8)),
      out = new Uint32Array(256)
    runPtx(
      oneThread(
        '.reg .b16 %h; .reg .b32 %a, %o;',
        `ld.global.b32 %a, [%in]; cvt.u16.u32 %h, %a; cvt.rn.f16x2.${name}x2 %o, %h; st.global.b32 [%out], %o;`,
      ),
      { block: [256, 1, 1], args: [input, out] },
    )
    const half = (bits: number): number => {
      const e = (bits >> 10) & 31,
        f = bits & 1023
      const s = e === 31 ? (f === 0 ? Infinity : NaN) : e === 0 ? f * 2 ** -24 : (1 + f / 1024) * 2 ** (e - 15)
      return bits & 0x8000 ? -s : s
    }
    out.forEach((w, i) => expect([half(w & 0xffff), half(w >>> 16)]).toEqual([all[i], all[255 - i]]))
  })

  test('an f32 becomes the nearest one, the even one of two, the largest when it is too large', () => {
    const finite = all
      .slice(0, 128)
      .map((x, i) => ({ x, i }))
      .filter(({ x }) => Number.isFinite(x))
    const most = finite[finite.length - 1]!
    const nearest = (x: number): number => {
      if (Number.isNaN(x)) return 127
      const size = Math.min(Math.abs(x), most.x)
      const best = finite.reduce((a, b) => {
        const [p, q] = [Math.abs(a.x - size), Math.abs(b.x - size)]
        return q < p || (q === p && b.i % 2 === 0) ? b : a
      })
      return best.i | (x < 0 || Object.is(x, -0) ? 128 : 0)
    }
    const float = fc.oneof(
      fc.float({ noDefaultInfinity: true, noNaN: true, min: -600, max: 600 }),
      fc.float(),
      fc.constantFrom(...finite.slice(1).map(({ x, i }) => (x + finite[Math.max(0, i - 1)]!.x) / 2)),
    )
    fc.assert(
      fc.property(fc.array(float, { minLength: 64, maxLength: 64 }), (list) => {
        const input = Float32Array.from(list),
          out = new Uint32Array(32)
        runPtx(
          oneThread(
            '.reg .b16 %h; .reg .b32 %o; .reg .f32 %a, %b;',
            `add.s64 %in, %in, %o4; ld.global.v2.f32 {%a, %b}, [%in]; cvt.rn.satfinite.${name}x2.f32 %h, %a, ` +
              `%b; cvt.u32.u16 %o, %h; st.global.b32 [%out], %o;`,
          ),
          { block: [32, 1, 1], args: [input, out] },
        )
        const bits = (i: number): number => nearest(input[i]!)
        expect([...out].map((w) => [w >>> 8, w & 255].map((x) => ((x & 127) === 127 ? 127 : x)))).toEqual(
          [...out].map((_, i) => [bits(2 * i), bits(2 * i + 1)]),
        )
      }),
      { numRuns: 20 },
    )
  })
})

test('reductions on a surface', () => {
  const text =
    '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 s, .param .u64 out) {\n.reg ' +
    '.b64 %s, %out, %p; .reg .b32 %t, %x, %o;\nld.param.u64 %s, [s]; ld.param.u64 %out, [out]; mov.u32 %t, ' +
    '%tid.x; and.b32 %x, %t, 3; shl.b32 %x, %x, 2;\nsured.b.add.2d.u32.clamp [%s, {%x, 0}], %t; bar.sync 0; ' +
    'suld.b.2d.b32.clamp {%o}, [%s, {%x, 0}];\nmul.wide.u32 %p, %t, 4; add.s64 %out, %out, %p; st.global.b32 ' +
    '[%out], %o; ret; }'
  const out = new Uint32Array(37)
  const { counters } = runPtx(text, {
    block: [37, 1, 1],
    args: [0, out],
    image: { bytes: Uint32Array.of(100, 200, 300, 400).buffer, extent: [4, 1, 1], format: 'r32uint' },
  })
  const sums = [0, 1, 2, 3].map(
    (k) => 100 * (k + 1) + [...out.keys()].filter((t) => t % 4 === k).reduce((a, b) => a + b, 0),
  )
  expect([...out]).toEqual([...out].map((_, i) => sums[i % 4]))
  expect(counters.sites.filter((s) => s.op === 'atomic').map((s) => s.requests)).toEqual([2])
})

test('products of warp groups are counted and named', () => {
  const text =
    '.version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a) {\n.reg .b64 %a; .reg ' +
    '.f32 %f<4>; .reg .pred %p;\nld.param.u64 %a, [a]; setp.ne.b64 %p, %a, ' +
    '0;\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3}, %a, ' +
    '%a, %p, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\nret; }'
  expect(parsePtx(text, 'k.ptx', { block: [128, 1, 1] }).notes.join()).toContain(
    'a product of a warp group on tensor cores, is counted and not computed',
  )
})
