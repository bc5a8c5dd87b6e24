// Atomics that wait for each other, mended: sums of a block in CUDA as in WGSL, and lists that threads append to. What
// is written stays the same, to the place; what cannot be told apart from the kernel's other work is left alone. And
// what the model says of a counter: one place, however long the buffer is that it stands in.
import { describe, expect, test } from 'vitest'
import { compileCudaText, cudaSource } from '../../src/cli/nvcc.ts'
import { explain, explainFixes, type ExplainLaunch, type FixReport } from '../../src/explain/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { nvccAvailable } from '../support/nvcc.ts'
import { shader } from './kernels.ts'

const list = (element: string): string =>
  `struct Hit { value: f32, index: u32, }\nstruct List { n: atomic<u32>, pad: u32, items: array<${element}>, }\n` +
  '@group(0) @binding(3) var<storage, read_write> list: List;\n'
const launch: ExplainLaunch = {
  grid: [1024, 1, 1],
  buffers: { a: { bytes: 262144 * 4 }, c: { bytes: 262144 * 4 }, list: { bytes: 2 ** 23 } },
}
const mended = (body: string, element = 'f32'): FixReport =>
  explainFixes({ text: shader(body, { size: '256', declare: list(element) }), file: 'k.wgsl' }, launch, {
    gpu: gpu('h200'),
  })

describe('a list that invocations append to', () => {
  test.each([
    ['a named place', 'let at = atomicAdd(&list.n, 1u); list.items[at] = a[id.x];', 'f32'],
    ['the place where it is used', 'list.items[atomicAdd(&list.n, 1u)] = a[id.x];', 'f32'],
    ['under a condition', 'if (a[id.x] > 0.5) { let at = atomicAdd(&list.n, 1u); list.items[at] = 1.0; }', 'f32'],
    [
      'behind a return, with room to keep to, a structure, and what is computed between',
      'if (id.x >= 262000u) { return; }\n  let v = a[id.x];\n  if (v > 0.25) {\n' +
        '    let at = atomicAdd(&list.n, 1u);\n    let w = v * 2.0;\n    if (at < arrayLength(&list.items)) {\n' +
        '      list.items[at].value = w + v;\n' +
        '      list.items[at].index = id.x;\n    }\n  }',
      'Hit',
    ],
    [
      'several elements at once, and a place of its own name',
      'let at = atomicAdd(&list.n, 2u);\n  let second = at + 1u;\n  list.items[at] = a[id.x];\n' +
        '  list.items[second] = -a[id.x];',
      'f32',
    ],
  ])('%s', (_, body, element) => {
    const { fixes, before, after, text } = mended(body, element)
    expect(fixes.map((f) => [f.mends, f.outputs?.different])).toEqual([['AtomicContention', 0]])
    expect(text).toContain('atomicAdd(&list.n, atomicLoad(&taken))')
    expect(before.prediction.ns / after.prediction.ns).toBeGreaterThan(1.03)
  })

  test.each([
    [
      'several times a thread',
      'for (var i = 0u; i < 4u; i++) { let at = atomicAdd(&list.n, 1u); list.items[at] = a[id.x]; }',
    ],
    ['a place that the kernel goes on with', 'let at = atomicAdd(&list.n, 1u); c[id.x] = f32(at) + a[id.x];'],
    [
      'a return between the place and its use',
      'let at = atomicAdd(&list.n, 1u); if (a[id.x] > 0.5) { return; } list.items[at] = a[id.x];',
    ],
  ])('left alone: %s', (_, body) => {
    expect(mended(body).text).not.toContain('taken')
  })

  test('is as slow in a long buffer as by itself', () => {
    const body = (counter: string): string => `let at = atomicAdd(&${counter}, 1u); c[at] = a[id.x];`
    const timeOf = (declare: string, counter: string): number =>
      explain({ text: shader(body(counter), { size: '256', declare }), file: 'k.wgsl' }, launch, { gpu: gpu('h200') })
        .prediction.ns
    const alone = '@group(0) @binding(3) var<storage, read_write> list: atomic<u32>;'
    const ratio = timeOf(list('f32'), 'list.n') / timeOf(alone, 'list')
    expect(ratio).toBeCloseTo(1, 3)
  })
})

describe.skipIf(!nvccAvailable())('sums of a block in CUDA', () => {
  const of = (text: string, buffers: ExplainLaunch['buffers'] = {}): FixReport => {
    const compiled = (changed: string) => cudaSource(changed, 'k.cu', compileCudaText(changed, 'k.cu'))
    const grid: ExplainLaunch = { grid: [1024, 1, 1], block: [256, 1, 1], buffers, args: { n: 262000 } }
    return explainFixes(compiled(text), grid, { gpu: gpu('h200') }, compiled)
  }
  const from = '  int i = blockIdx.x * blockDim.x + threadIdx.x;\n'
  const bytes = new Uint8Array(262144).map((_, i) => (i * 40503) >>> 8).buffer
  const given = { data: { bytes: 262144, fill: bytes }, bins: { bytes: 1024 } }
  test.each([
    [
      'a histogram behind a return',
      `__global__ void count(const unsigned char *data, unsigned int *bins, int n)\n{\n${from}` +
        '  if (i >= n) return;\n  atomicAdd(&bins[data[i]], 1);\n}\n',
      'if (place < 256) atomicAdd(&bins_sums[place], 1); else atomicAdd(&bins[place], 1);',
    ],
    [
      'by a pointer and a step of the grid',
      '#define BINS 256\nextern "C" __global__ void __launch_bounds__(256) count(' +
        `const unsigned char *__restrict__ data, int *__restrict__ bins, const int n) {\n` +
        '  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)\n' +
        '    atomicAdd(bins + (data[i] & (BINS - 1)), 1);\n}\n',
      '__shared__ int bins_sums[256];',
    ],
    [
      'one sum of floats under a condition',
      `__global__ void dot(const float *a, const float *b, float *bins, int n) {\n${from}` +
        '  if (i < n) atomicAdd(bins, a[i] * b[i]);\n}\n',
      'if (i < n) atomicAdd(&bins_sums[0], a[i] * b[i]);',
    ],
    [
      'a list',
      `__global__ void keep(const unsigned char *data, int *list, unsigned int *bins, int n) {\n${from}` +
        '  if (i < n && data[i] > 100) list[atomicAdd(bins, 1u)] = i;\n}\n',
      'const unsigned int at = first + own;',
    ],
  ])('%s', (_, text, has) => {
    const report = of(text, text.includes('unsigned char') ? given : { bins: { bytes: 4 } })
    expect(report.text).toContain(has)
    expect(report.fixes[0]).toMatchObject({ mends: 'AtomicContention', outputs: { different: 0 } })
    expect(report.before.prediction.ns / report.after.prediction.ns).toBeGreaterThan(1.03)
  })
  test('left alone where the kernel reads the sums', () => {
    const text =
      `__global__ void count(const unsigned char *data, unsigned int *bins, unsigned int *out, int n) {\n${from}` +
      '  if (i >= n) return;\n  atomicAdd(&bins[data[i]], 1);\n  out[i] = atomicMax(&bins[0], 0u);\n}\n'
    expect(of(text, given).text).toBe(text)
  })
})
