// Launches read from host code: a line of C++ a case, and what it launches. Then several launches as one report.
import { describe, expect, test } from 'vitest'
import {
  deviceProperties,
  explain,
  explainSeveral,
  hostLaunches,
  type ExplainLaunch,
} from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'

const inMain = (body: string, around = ''): string => `${around}\nint main(int argc, char** argv) { ${body} }`
const first = (text: string, known = {}): readonly unknown[] => {
  const [l] = hostLaunches(text, known)
  return l ? [l.entry, l.grid, l.block, l.shared] : []
}

describe('what the program asks of its GPU', () => {
  const told = (body: string): readonly unknown[] =>
    hostLaunches(inMain(body), {}, [], deviceProperties(gpu('h200'))).map((l) => [l.grid?.[0], l.block?.[0], l.missing])
  test.each([
    [
      'a property',
      'cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); k<<<p.multiProcessorCount * 2, 64>>>(x);',
      [264, 64],
    ],
    [
      'an element of one',
      'struct cudaDeviceProp other, p; int g = min(5, p.maxGridSize[0]); k<<<g, p.maxThreadsPerBlock>>>(x);',
      [5, 1024],
    ],
    ['behind a pointer', 'cudaDeviceProp* p = ask(); k<<<8, p->warpSize>>>(x);', [8, 32]],
    [
      'an attribute',
      'int n; CHECK(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0)); k<<<n, 64>>>(x);',
      [132, 64],
    ],
  ] as const)('%s', (_, body, [grid, block]) => expect(told(body)).toEqual([[grid, block, []]]))

  test('a member of another structure is missing by its whole name', () => {
    expect(told('k<<<(job->warpSize + 3) / 4, 64>>>(x);')).toEqual([[undefined, 64, ['job.warpSize']]])
  })
})

describe('kernels that come from elsewhere in the text', () => {
  const of = (text: string): readonly unknown[] => hostLaunches(text, {}).map((l) => [l.entry, l.grid?.[0], l.line])
  test('a parameter: one launch for each kernel that calls give', () => {
    const timed = `void timed(void (*kernel)(float*, int), int n) { kernel<<<n / 32, 32>>>(x, n); }`
    const kernels = `__global__ void a(float* x, int n) { x[0] = n; }\n__global__ void b(float* x, int n) { x[1] = n; }`
    const all = `${kernels}\n${timed}\nint main() { timed(a, 64); timed(b, 128); timed(a, 32); }`
    expect(of(all)).toEqual([
      ['a', 2, 3],
      ['b', 4, 3],
    ])
  })
  test('a macro: one launch for each use, there', () => {
    const macro = '#define RUN(kernel, n, ...) \\\n  kernel<float><<<(n) / 32, 32>>>(x); \\\n  ask(#kernel)'
    expect(of(`${macro}\nint main() { int n = 64;\nRUN(a, n + 32);\nRUN(b, n); }`)).toEqual([
      ['a<float>', 3, 5],
      ['b<float>', 2, 6],
    ])
  })
})

describe('sizes', () => {
  test.each([
    ['numbers', 'k<<<12, 256>>>(p);', ['k', [12, 1, 1], [256, 1, 1], 0]],
    ['a macro with arguments', 'int n = 1000; k<<<CEIL(n, 32), 32>>>(p);', ['k', [32, 1, 1], [32, 1, 1], 0]],
    ['a function', 'k<<<up(1000, 64), 64>>>(p);', ['k', [16, 1, 1], [64, 1, 1], 0]],
    ['dim3 in brackets', 'dim3 g(4, 5), b(16, 16); k<<<g, b>>>(p);', ['k', [4, 5, 1], [16, 16, 1], 0]],
    ['dim3 in braces', 'const dim3 g{4, 5, 6}; k<<<g, dim3(8, 8)>>>(p);', ['k', [4, 5, 6], [8, 8, 1], 0]],
    ['dim3 by assignment', 'dim3 g = dim3(7); k<<<g, 32, 64 * sizeof(float)>>>(p);', ['k', [7, 1, 1], [32, 1, 1], 256]],
    ['bytes of an alias', 'k<<<7, 32, 64 * sizeof(real)>>>(p);', ['k', [7, 1, 1], [32, 1, 1], 512]],
    ['bytes of another', 'k<<<7, 32, 64 * sizeof(index)>>>(p);', ['k', [7, 1, 1], [32, 1, 1], 128]],
    ['bytes of a structure', 'k<<<7, 32, 2 * sizeof(Pair)>>>(p);', ['k', [7, 1, 1], [32, 1, 1], 48]],
    ['members', 'dim3 g; g.x = 3; g.y = 1 << 2; dim3 b(g.x * 32); k<<<g, b>>>(p);', ['k', [3, 4, 1], [96, 1, 1], 0]],
    [
      'an argument of the program',
      'int n = argc > 1 ? atoi(argv[1]) : 640; k<<<n / 64, 64>>>(p);',
      ['k', [10, 1, 1], [64, 1, 1], 0],
    ],
    [
      'one that is only read where it is given',
      'int n = 64; if (argc > 1) n = atoi(argv[1]); k<<<n, 64>>>(p);',
      ['k', [64, 1, 1], [64, 1, 1], 0],
    ],
    [
      'one number for several names',
      'int n, m, b; n = m = b = 64; k<<<n / m, b>>>(p);',
      ['k', [1, 1, 1], [64, 1, 1], 0],
    ],
    ['a type of std', 'std::size_t b {64}; k<<<std::min<int>(9, 7), b>>>(p);', ['k', [7, 1, 1], [64, 1, 1], 0]],
    ['ceil of a quotient', 'int n = 100; k<<<(int)ceil((float)n / 32), 32>>>(p);', ['k', [4, 1, 1], [32, 1, 1], 0]],
    ['the smaller of two', 'k<<<std::min(4096 / 256, 8), 256>>>(p);', ['k', [8, 1, 1], [256, 1, 1], 0]],
    ['a loop', 'for (int s = 512; s > 0; s /= 2) { k<<<s, 32>>>(p); }', ['k', [512, 1, 1], [32, 1, 1], 0]],
    [
      'an element',
      'int all[] = {64, 128}; for (int j = 1; j < 2; j++) { int b = all[j]; k<<<2, b>>>(p); }',
      ['k', [2, 1, 1], [128, 1, 1], 0],
    ],
    [
      'as many as there are',
      'int all[] = {7, 8, 9}; k<<<sizeof(all) / sizeof(int), 32>>>(p);',
      ['k', [3, 1, 1], [32, 1, 1], 0],
    ],
    ['a template', 'k<float, TILE><<<TILE, TILE * 2>>>(p);', ['k<float, 32>', [32, 1, 1], [64, 1, 1], 0]],
    [
      'a comment and a string',
      'f("k<<<1, 1>>>(p);"); /* k<<<2, 2>>>(p); */ k<<<3, 32>>>(p);',
      ['k', [3, 1, 1], [32, 1, 1], 0],
    ],
    [
      'a comment of several lines',
      'int n = 4; /* n = 5;\n k<<<1, 1>>>(p);\n n = 6; */ k<<<n, 32>>>(p);',
      ['k', [4, 1, 1], [32, 1, 1], 0],
    ],
    ['what stands before everything', 'k<<<blocks, 32>>>(p);', ['k', [9, 1, 1], [32, 1, 1], 0]],
    [
      'one more where it is not whole',
      'int n = 100, g = n / 32; if (n % 32) g++; k<<<g, 32>>>(p);',
      ['k', [4, 1, 1], [32, 1, 1], 0],
    ],
    [
      'none more',
      'int n = 96, g = n / 32; if (n % 32 != 0) { g += 1; } k<<<g, 32>>>(p);',
      ['k', [3, 1, 1], [32, 1, 1], 0],
    ],
    [
      'the next power of 2',
      'int n = 100, m = 1; while (m < n) m <<= 1; k<<<m / 32, 32>>>(p);',
      ['k', [4, 1, 1], [32, 1, 1], 0],
    ],
    [
      'what changes behind its use',
      'int n = 64; int g = n / 32; n *= 2; k<<<g, n>>>(p);',
      ['k', [2, 1, 1], [128, 1, 1], 0],
    ],
    ['by its own value', 'int n = 64; n = n * 2; k<<<n, 32>>>(p);', ['k', [128, 1, 1], [32, 1, 1], 0]],
    [
      'what a loop changes',
      'int n = 64; for (int i = 0; i < m; i++) n += q[i]; k<<<n, 32>>>(p);',
      ['k', null, [32, 1, 1], 0],
    ],
    ['what is read after it was said', 'int n = 64; n = atoi(argv[1]); k<<<n, 32>>>(p);', ['k', null, [32, 1, 1], 0]],
    ['with a blank in the mark', 'k<<<12, 32>> >(p);', ['k', [12, 1, 1], [32, 1, 1], 0]],
    ['what the program computes', 'int n = read(); k<<<n, 32>>>(p);', ['k', null, [32, 1, 1], 0]],
  ])('%s', (_, body, expected) => {
    const around =
      '/*\n * What this is.\n */\nconst int blocks = 9;\n' +
      '#define CEIL(a, b) \\\n  (((a) + (b) - 1) / (b))\n#define TILE 32\n' +
      '#define DOUBLES\n#ifdef DOUBLES\ntypedef double real;\n#else\ntypedef float real;\n#endif\n' +
      'using index = unsigned short;\nstruct Pair { char tag; real value; int more[2]; };\n' +
      'static inline int up(int a, int b) { return (a + b - 1) / b; }'
    expect(first(inMain(body, around))).toEqual(expected)
  })

  test.each([
    ['a loop that counts', 'for (int t = 0; t < 10; t++) k<<<12, 32>>>(p);', 10, [12], undefined],
    ['halves', 'for (int s = 8; s > 0; s /= 2) { k<<<s, 32>>>(p); }', 4, [8, 4, 2, 1], undefined],
    [
      'by shifts, inside of another',
      'for (int i = 0; i < 2; ++i) for (int s = 1; s <= 4; s <<= 1) k<<<s, 32>>>(p);',
      6,
      [1, 2, 4],
      undefined,
    ],
    [
      'down, to a size',
      'int n = 5; for (int i = n - 1; i >= 0; i--) { k<<<i + 1, 32>>>(p); }',
      5,
      [5, 4, 3, 2, 1],
      undefined,
    ],
    ['a list', 'for (int s : {4, 2}) { k<<<s, 32>>>(p); }', 2, [4, 2], undefined],
    ['an array', 'int all[] = {3, 5}; for (const auto& s : all) k<<<s, 32>>>(p);', 2, [3, 5], undefined],
    ['never', 'for (int i = 0; i < 0; i++) k<<<1, 32>>>(p);', 0, [], undefined],
    ['as long as data say', 'while (more()) k<<<3, 32>>>(p);', 1, [3], true],
    ['to what the program reads', 'for (int i = 0; i < read(); i++) k<<<3, 32>>>(p);', 1, [3], true],
    ['a million times', 'for (int i = 0; i < 1000000; i++) k<<<3, 32>>>(p);', 1, [3], true],
  ])('launches of a loop: %s', (_, body, count, grids, uncounted) => {
    const found = hostLaunches(inMain(body), {})
    expect(found).toHaveLength(count)
    expect([...new Set(found.map((l) => l.grid?.[0]))]).toEqual(grids)
    for (const l of found) expect(l.uncounted).toBe(uncounted)
  })

  test('the parameters of a function are those of its call; scalars, bytes and flags too', () => {
    const around =
      'void run(int rows, float* to, float a) {\n  int per = 64;\n  k<<<rows / per, per>>>(to, a, rows, 2 * per);\n}'
    const text = inMain('float* d; int n = 4096; cudaMalloc((void**)&d, n * sizeof(float)); run(n, d, 0.5f);', around)
    expect(hostLaunches(text, {})).toEqual([
      {
        entry: 'k',
        line: 3,
        column: 3,
        grid: [64, 1, 1],
        block: [64, 1, 1],
        shared: 0,
        passed: ['to', 'a', 'rows', '2 * per'],
        args: { 1: 0.5, 2: 4096, 3: 128 },
        bytes: { 0: 16384 },
        missing: [],
      },
    ])
    expect(first(text, { per: 128 })).toEqual(['k', [32, 1, 1], [128, 1, 1], 0])
  })

  test('a kernel has the template arguments of the function around, as its first call says them', () => {
    const text = 'template<class T, int B> void run(int n) { k<T><<<n / B, B>>>(p); }' + inMain('run<float, 64>(640);')
    expect(first(text)).toEqual(['k<float>', [10, 1, 1], [64, 1, 1], 0])
  })

  test.each([
    ['enum class Kind { slow, fast = 4, wide };', 'Kind::wide'],
    ['enum { slow, fast = 4, wide };', 'wide'],
  ])('enumerators are numbers: %s', (declaration, name) => {
    expect(first(inMain(`k<${name}, 2><<<wide, 32>>>(p);`, declaration), { wide: 3 })[0]).toBe(
      name === 'wide' ? 'k<3, 2>' : 'k<5, 2>',
    )
    expect(first(inMain(`k<2><<<${name}, 32>>>(p);`, declaration))).toEqual(['k<2>', [5, 1, 1], [32, 1, 1], 0])
  })

  test('constants of a file that is included', () => {
    const [l] = hostLaunches(inMain('k<<<2, wide>>>(p);'), {}, ['static constexpr unsigned int wide = 8u * 16u;'])
    expect(l?.block).toEqual([128, 1, 1])
  })

  test('constants of a namespace are those of the functions in it', () => {
    const constants = 'namespace { constexpr unsigned int wide = 64u; }'
    expect(first(`namespace n { ${constants} void f() { k<<<3, wide>>>(p); } }`)).toEqual([
      'k',
      [3, 1, 1],
      [64, 1, 1],
      0,
    ])
  })

  test('arrays of one name have the bytes that their own function allocates, or the text around all', () => {
    const own = (name: string, n: number): string =>
      `void ${name}() {\n  float* d; int n = ${n};\n` +
      '  cudaMalloc(&d, n * sizeof(float)); k<<<1, 32>>>(d); cudaFree(d);\n' +
      '  cudaMalloc(&d, 2 * n * sizeof(float)); k<<<2, 32>>>(d);\n}\n'
    const shared = 'float* all;\nvoid start() { cudaMalloc(&all, 64); }\nvoid go() { k<<<3, 32>>>(all); }\n'
    const bytes = hostLaunches(own('flat', 64) + own('deep', 256) + shared, {}).map((l) => l.bytes[0])
    expect(bytes).toEqual([256, 512, 1024, 2048, 64])
  })

  test('names that the text does not say are named', () => {
    const text = 'void run(int M, int N) { dim3 g((M + 31) / 32, N); k<<<g, 32>>>(M); }'
    expect(hostLaunches(text, {})[0]!.missing).toEqual(['M', 'N'])
    expect(first(text, { M: 64, N: 5 })).toEqual(['k', [2, 5, 1], [32, 1, 1], 0])
  })
})

describe('several launches', () => {
  const text = `@group(0) @binding(0) var<storage, read_write> c: array<f32>;
@group(0) @binding(1) var<uniform> n: u32;
@compute @workgroup_size(64) fn one(@builtin(global_invocation_id) id: vec3u) { c[id.x] = 1.0; }
@compute @workgroup_size(64) fn all(@builtin(global_invocation_id) id: vec3u) {
  for (var k = 0u; k < n; k++) { c[id.x * n + k] += 2.0; }
}`
  const grid = [64, 1, 1] as const
  const run = (args: Readonly<Record<string, number>>): ReturnType<typeof explainSeveral> =>
    explainSeveral(
      { text, file: 'k.wgsl' },
      [
        { entry: 'one', launch: { grid, args }, times: 3 },
        { entry: 'all', launch: { grid, args } },
        { entry: 'none', launch: { grid, args } },
      ],
      { gpu: gpu('h200') },
    )

  test('the dearest first, the time of all, what cannot be run with its reason', () => {
    const { kernels, ns, dispatches } = run({ n: 32 })
    expect(kernels.map((k) => k.shader)).toEqual(['all', 'one', 'none'])
    expect(dispatches).toBe(5)
    expect(ns).toBeCloseTo(kernels[0]!.ns! + 3 * kernels[1]!.ns!, 6)
    expect(kernels[2]!.refused).toContain('none')
  })

  test('a name that no kernel has is refused', () => {
    expect(() => run({ q: 32 })).toThrow(/no scalar 'q'/)
  })
})

test('an array that the host passes and the kernel never uses is said, not refused', () => {
  const ptx = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [k_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 1;
  st.global.u32 [%rd2], %r1;
  ret;
}`
  const source = {
    text: '__global__ void k(int* to, int* idle) { *to = 1; }',
    file: 'k.cu',
    language: 'cuda',
    ptx,
  } as const
  const launch = (name: string): ExplainLaunch => ({
    grid: [1, 1, 1],
    block: [1, 1, 1],
    buffers: { [name]: { bytes: 64 } },
  })
  expect(explain(source, launch('idle'), { gpu: gpu('h200') }).notes).toContain(
    "buffers that the kernel does not use: 'idle'",
  )
  expect(() => explain(source, launch('other'), { gpu: gpu('h200') })).toThrow("the kernel uses no buffer 'other'")
  const nothing = explain(source, { grid: [1, 1, 1], block: [32, 1, 1], args: { to: 0 } }, { gpu: gpu('h200') })
  expect(nothing.notes).toContain("null pointers are taken as buffers: 'to'")
})
