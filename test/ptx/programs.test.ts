// Whole CUDA functions through nvcc: calls, tables, structures, switches, shared and dynamic memory, warps, atomics;
// each against what the same arithmetic gives here. And what cannot be analysed is refused in one sentence with its
// line.
import { beforeAll, describe, expect, test } from 'vitest'
import { explain } from '../../src/explain/index.ts'
import { parsePtx } from '../../src/frontend/ptx/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { ptxOf, runPtx, type Run } from './compile.ts'

const n = 256
const ints = (f: (i: number) => number, count = n): Int32Array => Int32Array.from({ length: count }, (_, i) => f(i))

interface Case {
  readonly name: string
  readonly cuda: string
  readonly run?: Partial<Run>
  readonly expected: (i: number) => number
}
/** `k(const int* in, int* out, int n)` with one block of 256; `in[i]` is i − 100. */
const cases: readonly Case[] = [
  {
    name: 'a switch',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x, v = 0; switch (in[i] & 7) { ` +
      `case 0: v = 5; break; case 1: v = in[i] * 3; case 2: v += 7; break; case 3: v = -i; break; case 4: v = ` +
      `i * i; break; case 6: v = 11; break; default: v = 99; } out[i] = v; }`,
    expected: (i) => {
      const x = i - 100
      switch (x & 7) {
        case 0:
          return 5
        case 1:
          return 3 * x + 7
        case 2:
          return 7
        case 3:
          return -i
        case 4:
          return i * i
        case 6:
          return 11
        default:
          return 99
      }
    },
  },
  {
    name: 'a loop left twice',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x, s = 0; for (int a = 0; a < 20; ` +
      `a++) { for (int b = 0; b < 20; b++) { if (in[(i + a * b) % n] == 30) goto done; if ((a + b) % 7 == i % ` +
      `7) break; s += a ^ b; } s += 1000; } done: out[i] = s; }`,
    expected: (i) => {
      let s = 0
      for (let a = 0; a < 20; a++) {
        for (let b = 0; b < 20; b++) {
          if (((i + a * b) % n) - 100 === 30) return s
          if ((a + b) % 7 === i % 7) break
          s += a ^ b
        }
        s += 1000
      }
      return s
    },
  },
  {
    name: 'a device function that is called',
    cuda:
      `__device__ __noinline__ int f(int x, int* y) { if (x < 0) return -x; *y += x; return x * 2; ` +
      `}\n__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x, y = 3; int a = f(in[i], ` +
      `&y); int b = f(in[i] + 50, &y); out[i] = a * 1000 + b + y; }`,
    expected: (i) => {
      let y = 3
      const f = (x: number): number => {
        if (x < 0) return -x
        y += x
        return 2 * x
      }
      const a = f(i - 100)
      const b = f(i - 50)
      return a * 1000 + b + y
    },
  },
  {
    name: 'a constant table and a module variable',
    cuda:
      `__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6}; __device__ int grown = 7; __device__ int* to = ` +
      `&grown;\n__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x; out[i] = table[in[i] ` +
      `& 7] * 10 + grown; }`,
    expected: (i) => [3, 1, 4, 1, 5, 9, 2, 6][(i - 100) & 7]! * 10 + 7,
  },
  {
    name: 'shared memory, reversed',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { __shared__ int s[256]; s[threadIdx.x] = ` +
      `in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = s[255 - threadIdx.x]; }`,
    expected: (i) => 255 - i - 100,
  },
  {
    name: 'dynamic shared memory in two parts',
    cuda:
      `extern __shared__ int s[];\n__global__ void k(const int* in, int* out, int n) { int* a = s; int* b = s + ` +
      `256; a[threadIdx.x] = in[threadIdx.x]; b[threadIdx.x] = 2; __syncthreads(); out[threadIdx.x] = ` +
      `a[threadIdx.x ^ 1] + b[255 - threadIdx.x]; }`,
    run: { shared: 2048 },
    expected: (i) => (i ^ 1) - 98,
  },
  {
    name: 'a local array',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x; int a[16]; for (int j = 0; j < ` +
      `16; j++) a[(j * 5 + in[i]) & 15] = j; out[i] = a[i & 15] * 100 + a[in[0] & 15]; }`,
    expected: (i) => {
      const a: number[] = []
      for (let j = 0; j < 16; j++) a[(j * 5 + i - 100) & 15] = j
      return a[i & 15]! * 100 + a[-100 & 15]!
    },
  },
  {
    name: 'shuffles within segments',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x, v = in[i]; int a = ` +
      `__shfl_down_sync(~0u, v, 3, 8), b = __shfl_up_sync(~0u, v, 2, 16), c = __shfl_xor_sync(~0u, v, 5), d = ` +
      `__shfl_sync(~0u, v, 9, 8); out[i] = a + 3 * b + 7 * c + 11 * d; }`,
    expected: (i) => {
      const l = i & 31,
        w = i - l,
        x = (j: number): number => w + j - 100
      const down = (l & 7) + 3 < 8 ? l + 3 : l,
        up = (l & 15) - 2 >= 0 ? l - 2 : l
      return x(down) + 3 * x(up) + 7 * x(l ^ 5) + 11 * x((l & ~7) + 1)
    },
  },
  {
    name: 'votes and matches',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x; unsigned b = __ballot_sync(~0u, ` +
      `in[i] % 3 == 0); unsigned m = __match_any_sync(~0u, in[i] & 3); int r = __reduce_add_sync(~0u, i); ` +
      `out[i] = __popc(b) * 1000 + __popc(m) + r * 100000; }`,
    expected: (i) => {
      const w = i & ~31
      let b = 0,
        r = 0
      for (let l = 0; l < 32; l++) {
        if ((w + l - 100) % 3 === 0) b++
        r += w + l
      }
      return b * 1000 + 8 + r * 100000
    },
  },
  {
    name: 'a barrier that counts',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int c = __syncthreads_count(in[threadIdx.x] > 0); ` +
      `int o = __syncthreads_or(in[threadIdx.x] == 1000); int a = __syncthreads_and(in[threadIdx.x] > -101); ` +
      `out[threadIdx.x] = c * 100 + o * 10 + a; }`,
    expected: () => 15501,
  },
  {
    name: 'two pointers, one of which is chosen',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { const int* p = (threadIdx.x & 1) ? in : out; int v = ` +
      `p[threadIdx.x]; __syncthreads(); out[threadIdx.x] = v + 5; }`,
    expected: (i) => (i & 1 ? i - 100 : 0) + 5,
  },
  {
    name: '64-bit arithmetic and doubles',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { long long a = (long long)in[threadIdx.x] * ` +
      `1000000007ll; double d = sqrt((double)(threadIdx.x * threadIdx.x)); out[threadIdx.x] = (int)(a % ` +
      `1000003) + (int)d + (int)((unsigned long long)a >> 60); }`,
    expected: (i) => {
      const a = BigInt(i - 100) * 1000000007n
      return Number(a % 1000003n) + i + Number(BigInt.asUintN(64, a) >> 60n)
    },
  },
  {
    name: 'functions in a table',
    cuda:
      `__device__ int f0(int x) { return x + 1; }\n__device__ int f1(int x) { return x * 3; }\n__device__ int ` +
      `f2(int x) { return -x; }\n__device__ int (*table[3])(int) = {f0, f1, f2};\n__global__ void k(const ` +
      `int* in, int* out, int n) { out[threadIdx.x] = table[threadIdx.x % 3](in[threadIdx.x]); }`,
    expected: (i) => {
      const x = i - 100
      return [x + 1, x * 3, -x][i % 3]!
    },
  },
  {
    name: 'virtual functions of what new made',
    cuda:
      `struct A { int x; __device__ A(int y) : x(y) {} virtual __device__ int f(int y) = 0; };\nstruct B : A { ` +
      `__device__ B(int y) : A(y) {} __device__ int f(int y) { return x + y; } };\nstruct C : A { int z; ` +
      `__device__ C(int y) : A(y), z(7) {} __device__ int f(int y) { return x * y - z; } };\n__global__ void ` +
      `k(const int* in, int* out, int n) { int i = threadIdx.x; A* a = (i & 1) ? (A*)new B(i) : (A*)new C(i); ` +
      `out[i] = a->f(in[i]); delete a; }`,
    expected: (i) => {
      const x = i - 100
      return i & 1 ? i + x : i * x - 7
    },
  },
  {
    name: 'characters that are passed',
    cuda:
      `__device__ __noinline__ int f(unsigned char a, signed char b) { return a * 2 + b; }\n__global__ void ` +
      `k(const int* in, int* out, int n) { int x = in[threadIdx.x]; out[threadIdx.x] = f((unsigned char)x, ` +
      `(signed char)(x * 3)); }`,
    expected: (i) => {
      const x = i - 100
      return (x & 255) * 2 + (((x * 3) << 24) >> 24)
    },
  },
  {
    name: 'barriers with a number of threads',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { __shared__ int s[256]; int i = threadIdx.x; s[i] = ` +
      `in[i]; asm volatile("bar.sync 3, 256;"); int a = s[255 - i]; asm volatile("bar.sync 1, 32;"); out[i] = a; }`,
    expected: (i) => 155 - i,
  },
  {
    name: 'a pointer to shared or to global memory',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { __shared__ int s[256]; int i = threadIdx.x; s[i] = 2 ` +
      `* in[i]; __syncthreads(); const int* p = (in[i] % 3 == 0) ? s : in; out[i] = p[255 - i]; }`,
    expected: (i) => ((i - 100) % 3 === 0 ? 2 : 1) * (155 - i),
  },
  {
    name: 'a pointer to local or to global memory, written',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x; volatile int a[4] = {1, 2, 3, ` +
      `4}; volatile int* p = (in[i] & 1) ? a : out + (i & ~3); p[i & 3] = in[i] * 5; __syncwarp(); out[i] = ` +
      `(in[i] & 1) ? a[i & 3] + a[(i + 1) & 3] : out[i]; }`,
    expected: (i) => {
      const x = i - 100
      return x & 1 ? x * 5 + 1 + ((i + 1) & 3) : x * 5
    },
  },
  {
    name: 'atomics on shared or on global memory',
    cuda:
      `__global__ void k(const int* in, int* out, int n) { __shared__ int s[1]; int i = threadIdx.x; if (i == ` +
      `0) { s[0] = 1; out[0] = 10; } __syncthreads(); int* p = (in[i] < 0) ? s : out; atomicAdd(p, 1); ` +
      `__syncthreads(); if (i == 1) { int t = out[0]; out[1] = t; out[0] = s[0]; } else if (i > 1) out[i] = i; }`,
    expected: (i) => [101, 166][i] ?? i,
  },
  {
    name: 'printf and assert',
    cuda:
      `#include <cassert>\n__global__ void k(const int* in, int* out, int n) { int i = threadIdx.x; ` +
      `printf("%d", i); assert(i < n); out[i] = in[i]; }`,
    expected: (i) => i - 100,
  },
]

describe.skipIf(!nvccAvailable())('programs through nvcc', () => {
  const all = cases.map((c, i) => `namespace case_${i}_ {\n${c.cuda}\n}`).join('\n')
  for (const options of [[], ['-G']]) {
    let ptx = ''
    beforeAll(() => {
      ptx = ptxOf(all, options)
    })
    for (const [i, c] of cases.entries()) {
      test(`${c.name} ${options.join()}`, () => {
        const out = new Int32Array(n)
        runPtx(ptx, { entry: `case_${i}_`, block: [n, 1, 1], ...c.run, args: [ints((i) => i - 100), out, n] })
        expect(Array.from(out)).toEqual(Array.from(ints(c.expected)))
      })
    }
  }
  test('a 32-bit address below 0 that its offset brings back', () => {
    const out = new Uint32Array(1)
    runPtx(
      '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out) { .shared .align 4 ' +
        '.b8 s[16]; .reg .b32 %a, %b; .reg .b64 %o; ld.param.u64 %o, [out]; mov.u32 %a, s; add.s32 %a, %a, ' +
        '-128; mov.u32 %b, 7; st.shared.u32 [%a+132], %b; ld.shared.u32 %b, [s+4]; st.global.u32 [%o], %b; ret; }',
      { args: [out] },
    )
    expect(out[0]).toBe(7)
  })
  test('atomics', () => {
    const out = new Int32Array(n)
    runPtx(
      ptxOf(
        `__global__ void k(const int* in, int* out, int n) { __shared__ int h[4]; __shared__ unsigned turn; ` +
          `if (threadIdx.x < 4) h[threadIdx.x] = 0; if (threadIdx.x == 0) turn = 0; __syncthreads(); ` +
          `atomicAdd(&h[in[threadIdx.x] & 3], 1); atomicMax(&h[3], 70); atomicInc(&turn, 99u); ` +
          `__syncthreads(); out[threadIdx.x] = h[threadIdx.x & 3] * 1000 + turn; }`,
      ),
      { block: [n, 1, 1], args: [ints((i) => i - 100), out, n] },
    )
    // 64 threads add to each word; threads raise the last one to 70 while others add; 256 turns of 100 end at 56.
    expect(Array.from(out.slice(0, 3))).toEqual([64056, 64056, 64056])
    expect(out[3]).toBeGreaterThanOrEqual(70056)
  })
  test('pointers within a structure', () => {
    const struct = new Uint8Array(32)
    const out = new Int32Array(n)
    new DataView(struct.buffer).setInt32(0, 41, true)
    const text = ptxOf(
      'struct P { int a; const int* p; float f; int* q; };\n__global__ void k(P s, int* out, int n) { ' +
        'out[threadIdx.x] = s.a + s.p[threadIdx.x]; s.q[threadIdx.x] = 3; }',
    )
    const ptx = parsePtx(text, 'k.ptx', { block: [n, 1, 1] })
    expect(ptx.pointers.map((p) => [p.index, p.offset, p.resource, p.access])).toEqual([
      [0, 8, 'param_0_8', 'read'],
      [0, 24, 'param_0_24', 'write'],
      [1, 0, 'param_1', 'write'],
    ])
    expect(ptx.scalars.map((s) => [s.index, s.offset, s.type])).toContainEqual([0, 0, 'u32'])
    expect(out.length).toBe(n)
  })
  test('every site is at the innermost line of the user', () => {
    const { counters } = runPtx(
      ptxOf(
        '__device__ int get(const int* p, int i) {\n  return p[i];\n}\n__global__ void k(const int* in, int* ' +
          'out) {\n  out[threadIdx.x] =\n    get(in, threadIdx.x);\n}\n',
      ),
      { block: [n, 1, 1], args: [ints((i) => i), new Int32Array(n)] },
    )
    expect(counters.sites.map((s) => [s.op, s.at?.line])).toEqual([
      ['load', 2],
      ['store', 5],
    ])
  })
})

const entry = (body: string): string =>
  `.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .pred %p<4>; .reg ` +
  `.b32 %r<9>; .reg .b64 %d<9>;\n${body}\nret;\n}\n`

describe('refused', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ['an empty file', '', 'k.ptx:1:1: error: the file holds no PTX [ptx.syntax]'],
    [
      'no entry',
      '.version 8.0\n.target sm_90\n.address_size 64\n',
      'k.ptx:1:1: error: the module has no .entry [ptx.entry]',
    ],
    ['text that is no PTX', 'int main() {}', "k.ptx:1:4: error: expected a directive, found 'int' [ptx.syntax]"],
    ['an unclosed body', '.version 8.0\n.entry k() { ret;', 'a { is not closed'],
    ['an unclosed comment', '.version 8.0 /* x', 'a comment is not closed'],
    ['an unknown register', entry('add.s32 %r1, %x, 1;'), "'%x' cannot be analysed here"],
    ['an unknown label', entry('bra nowhere;'), "k.ptx:6:1: error: there is no label 'nowhere' [ptx.name]"],
    [
      'a loop with two entries',
      entry(
        'setp.eq.u32 %p1, %r1, 0;\n@%p1 bra B;\nA: add.u32 %r1, %r1, 1;\nB: add.u32 %r2, %r2, 1;\nsetp.lt.u32 ' +
          '%p2, %r2, %r1;\n@%p2 bra A;',
      ),
      'is entered in more than one place (irreducible control flow)',
    ],
    [
      'a call through a pointer of which nothing is known',
      entry('mov.u64 %d1, 7; call %d1, ();'),
      'the file takes the address of no function that fits',
    ],
    [
      'a function outside',
      `${entry('call f;').replace('.visible', '.extern .func f;\n.visible')}`,
      "the function 'f' is not in the module",
    ],
    [
      'recursion',
      `${entry('call f;').replace('.visible', '.func f { call f; ret; }\n.visible')}`,
      "function 'f' calls itself",
    ],
    [
      'a tensor-core instruction',
      entry('mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r1}, {%r1}, {%r1}, {%r1};'),
      'a tensor-core instruction of this type or shape, cannot be analysed [ptx.unsupported]',
    ],
    [
      'a reduction of halves on a surface',
      entry('sured.b.add.2d.u16.trap [%d1, {%r5, %r6}], %r1;'),
      'sured.b.add.2d.u16.trap cannot be analysed',
    ],
    [
      'dynamic shared memory without its size',
      `.version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 4 .b8 s[];\n.entry k() { .reg ` +
        `.b32 %r<3>; mov.u32 %r1, s; st.shared.u32 [%r1], 1; ret; }`,
      'give its bytes with --shared BYTES',
    ],
    ['deep nesting', entry('{'.repeat(500) + '}'.repeat(500)), 'blocks nest deeper than 64'],
    ['deep vectors', entry(`mov.b32 %r1, ${'{'.repeat(3000)}${'}'.repeat(3000)};`), 'nest deeper than 64'],
    [
      'a huge variable',
      '.version 8.0\n.global .b8 x[99999999999];\n.entry k() { ret; }',
      'elements are not between 0 and 2³¹',
    ],
    [
      'huge initial values',
      `.version 8.0\n.global .b8 x[2000000000] = {1};\n.entry k() { ret; }`,
      "the module's variables have more than",
    ],
    [
      'calls that double',
      `.version 8.0\n${Array.from({ length: 40 }, (_, i) => `.func f${i + 1} { call f${i}; call f${i}; ret; }`)
        .reverse()
        .join('\n')}\n.func f0 { .reg .b32 %r; add.u32 %r, %r, 1; ret; }\n.entry k() { call f40; ret; }`,
      'with its calls put in place the kernel has more than 400000 instructions',
    ],
  ]
  for (const [name, text, message] of refused) test(name, () => expect(() => parsePtx(text, 'k.ptx')).toThrow(message))
})

describe('control flow', () => {
  test('20,000 branches one after another', () => {
    const many = Array.from(
      { length: 20_000 },
      (_, i) => `setp.eq.u32 %p1, %r1, ${i};\n@%p1 bra L${i};\nadd.u32 %r2, %r2, 1;\nL${i}:`,
    ).join('\n')
    expect(parsePtx(entry(many), 'k.ptx').kernel.body.length).toBeGreaterThan(20_000)
  })
  test('an endless loop ends at the limit of steps', () => {
    expect(() => runPtx(entry('L: bra L;'), { args: [new Int32Array(1)] })).toThrow('simulate.steps')
  })
})

test("lines of code from inlined functions of the kernel's own file are theirs", () => {
  const text = `.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b64 %p, %q; \
.reg .b32 %a, %b; .loc 1 30 1
    ld.param.u64 %p, [p]; cvta.to.global.u64 %q, %p; .loc 1 8 3, function_name $s1, inlined_at 1 30 1
    .loc 1 4 3, function_name $s2, inlined_at 1 8 3
    ld.global.u32 %a, [%q]; .loc 2 5 3, function_name $s3, inlined_at 1 4 3
    ld.global.u32 %b, [%q+64]; .loc 1 31 1
    add.u32 %a, %a, %b; st.global.u32 [%q], %a; ret; }\n.file 1 "k.cu"\n.file 2 "lib.cuh"\n`
  const report = explain(
    { text, file: 'k.ptx', language: 'ptx' },
    { grid: [1, 1, 1], block: [32, 1, 1] },
    { gpu: gpu('h200') },
  )
  expect(report.accesses.map((a) => `${a.op} ${a.at?.file}:${a.at?.line}`)).toEqual(['load k.cu:4', 'store k.cu:31'])
})

// A function of a library that calls another of its own line had left its own line for the user's.
test('lines of code from inlined functions of other files are those that call them', () => {
  const text = `.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b64 %p, %q; \
.reg .b32 %a, %b; .loc 1 10 1
    ld.param.u64 %p, [p]; cvta.to.global.u64 %q, %p; .loc 2 5 3, function_name $s1, inlined_at 1 10 1
    ld.global.u32 %a, [%q]; .loc 2 5 3, function_name $s2, inlined_at 2 5 3
    ld.global.u32 %b, [%q+64]; .loc 1 12 1
    add.u32 %a, %a, %b; st.global.u32 [%q], %a; ret; }\n.file 1 "k.cu"\n.file 2 "lib.cuh"\n`
  const report = explain(
    { text, file: 'k.ptx', language: 'ptx' },
    { grid: [1, 1, 1], block: [32, 1, 1] },
    { gpu: gpu('h200') },
  )
  expect([...new Set(report.accesses.map((a) => `${a.at?.file}:${a.at?.line}`))]).toEqual(['k.cu:10', 'k.cu:12'])
})
