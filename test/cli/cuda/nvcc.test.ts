// CUDA C++ through nvcc: messages become diagnostics, `ptxas -v` becomes numbers, names that a shell would read are
// refused, and without a compiler there is a sentence on how to make the PTX.
import { afterEach, describe, expect, test } from 'vitest'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { formatDiagnostic } from '../../../src/base/index.ts'
import { explain } from '../../../src/explain/index.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { launchesInText } from '../../../src/cli/commands/host-launches.ts'
import { compileCudaFile, cudaSource, errorsOf, readUse } from '../../../src/cli/nvcc.ts'
import { explainLines } from '../../../src/report/index.ts'
import { nvccAvailable } from '../../support/nvcc.ts'

const path = process.env['PATH']
afterEach(() => {
  process.env['PATH'] = path
})

function withFile<T>(text: string, use: (file: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tesela-nvcc-'))
  try {
    writeFileSync(join(folder, 'k.cu'), text)
    return use(join(folder, 'k.cu'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('messages of the compiler stand at the user’s lines', () => {
  const log =
    `${resolve('a.cu')}(3): error: expected a ";"\n/x/y.h:7:12: fatal error: no.h: No such file or ` +
    `directory\na note`
  expect(errorsOf(log, 'a.cu', 'nvcc').map(formatDiagnostic)).toEqual([
    'a.cu:3:1: error: expected a ";" [cuda.compile]',
    '/x/y.h:7:12: error: no.h: No such file or directory [cuda.compile]',
  ])
  expect(errorsOf('Killed: fatal', 'a.cu', 'nvcc').map(formatDiagnostic)).toEqual([
    'a.cu:1:1: error: nvcc failed: Killed: fatal [cuda.compile]',
  ])
})

test('registers, shared memory and spills of each kernel', () => {
  const log =
    "ptxas info    : Compiling entry function '_Z1av' for 'sm_90'\nptxas info    : Function properties for " +
    '_Z1av\n    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\nptxas info    : Used 42 ' +
    'registers, used 1 barriers, 512 bytes smem\n'
  expect(readUse(log)).toEqual({ _Z1av: { registers: 42, sharedBytes: 512, spillBytes: 4 } })
})

test.skipIf(!nvccAvailable())('a template that the file does not use is made when it is asked for', () => {
  withFile('namespace n { template <class T, int B> __global__ void k(T* a) { a[threadIdx.x] = B; } }', (file) => {
    expect(compileCudaFile(file).ptx).not.toContain('.entry')
    const made = compileCudaFile(file, { instance: 'n::k<double, 7>' })
    expect(Object.keys(made.kernels)).toEqual(['_ZN1n1kIdLi7EEEvPT_'])
    const report = explain(
      { text: '', file, language: 'cuda', ptx: made.ptx, compiledFrom: made.path, machine: made.machine },
      { grid: [1, 1, 1], block: [32, 1, 1] },
      { gpu: gpu('h200'), entry: 'n::k<double, 7>' },
    )
    expect(report.accesses.map((a) => [a.at?.file, a.at?.line, a.op, a.bytesPerLane])).toEqual([[file, 1, 'store', 8]])
    expect(() => compileCudaFile(file, { instance: 'k<"$(x)">' })).toThrow('is no template with its arguments')
  })
})

describe('refused', () => {
  test('without nvcc', () => {
    process.env['PATH'] = '/nowhere'
    expect(() => compileCudaFile('k.cu')).toThrow(
      /nvcc is not on this machine.*\n.*run: nvcc -ptx -lineinfo -arch=sm_90 k\.cu/,
    )
  })
  test('names that a shell would read', () =>
    expect(() => compileCudaFile('$(touch x).cu')).toThrow('nvcc passes names on to a shell'))
  test('a GPU that nvcc no longer knows', () =>
    expect(() => compileCudaFile('k.cu', { capability: [1, 3] })).toThrow('compute capability 1.3'))
})

describe.skipIf(!nvccAvailable())('with nvcc', () => {
  test('an error is the user’s', () =>
    withFile('__global__ void k() { int x = ; }\n', (file) =>
      expect(() => compileCudaFile(file)).toThrow(/k\.cu:1:1: error: expected an expression/),
    ))
  test('a file is explained by its lines, names and registers', () =>
    withFile(
      '__global__ void scale(float* data, float by, int n) {\n  int i = blockIdx.x * blockDim.x + ' +
        'threadIdx.x;\n  if (i < n)\n    data[2 * i] *= by;\n}\n',
      (file) => {
        const { ptx, path: compiledFrom, kernels } = compileCudaFile(file)
        const registers = Object.fromEntries(Object.entries(kernels).map(([k, use]) => [k, use.registers]))
        const report = explain(
          {
            text:
              '__global__ void scale(float* data, float by, int n) {\n  int i = blockIdx.x * blockDim.x + ' +
              'threadIdx.x;\n  if (i < n)\n    data[2 * i] *= by;\n}\n',
            file: 'k.cu',
            language: 'cuda',
            ptx,
            ptxFile: 'k.ptx',
            compiledFrom,
            registers,
          },
          { grid: [64, 1, 1], block: [256, 1, 1], args: { n: 16384 } },
          { gpu: gpu('h200'), exact: true },
        )
        expect(report.kernel).toEqual({ name: 'scale', language: 'cuda', file: 'k.cu' })
        expect(report.accesses.map((a) => [a.at?.line, a.text, a.resource, a.op, a.requests, a.sectors])).toEqual([
          [4, 'data[2 * i] *= by;', 'data', 'load', 512, 4096],
          [4, 'data[2 * i] *= by;', 'data', 'store', 512, 4096],
        ])
        expect(report.buffers.map((b) => [b.name, b.type])).toEqual([['data', 'float*']])
        // The last byte read is 131,067; sizes found by running are the smallest up to a few elements.
        expect(report.buffers[0]?.bytes).toBeGreaterThanOrEqual(131068)
        expect(report.buffers[0]?.bytes).toBeLessThan(131200)
        expect(report.occupancy.registers).toEqual({ perThread: kernels['_Z5scalePffi']?.registers, source: 'ptxas' })
        expect(report.hazards).toEqual([])
      },
    ))
  test(
    'a kernel in a file that is included has its lines, text and names; routines of the compiler stand where ' +
      'they are called',
    () =>
      withFile('#include "wave.cuh"\nint main() { wave<<<1, 64>>>(nullptr, 1); }\n', (file) => {
        const text =
          '#include <math.h>\n__global__ void wave(double* heights, int n) {\n  if (threadIdx.x < n)\n    ' +
          'heights[threadIdx.x] = sin(heights[threadIdx.x]);\n}\n'
        const header = join(dirname(file), 'wave.cuh')
        writeFileSync(header, text)
        const { ptx, path: compiledFrom, included } = compileCudaFile(file)
        expect(included.filter((f) => f.path === header)).toEqual([{ path: header, file: header, text }])
        const report = explain(
          {
            text: readFileSync(file, 'utf8'),
            file,
            language: 'cuda',
            ptx,
            compiledFrom,
            included: [{ path: header, file: 'wave.cuh', text }],
          },
          { grid: [1, 1, 1], block: [64, 1, 1], args: { n: 64 } },
          { gpu: gpu('h200') },
        )
        expect(report.buffers.map((b) => b.name)).toEqual(['heights'])
        expect(new Set(report.accesses.map((a) => `${a.at?.file}:${a.at?.line} ${a.text}`))).toEqual(
          new Set(['wave.cuh:4 heights[threadIdx.x] = sin(heights[threa…']),
        )
        expect(report.accesses.some((a) => a.space === 'local')).toBe(true)
        expect(explainLines(report).join('\n')).toMatch(/wave\.cuh:4 {2}read heights/)
      }),
  )
  test('a header that only declares is read, too, and what is given by one name has its other', () =>
    withFile(
      '#include "sizes.h"\n__global__ void k(float* p, Sizes s, int n) {\n  if (threadIdx.x < s.nx + n) ' +
        'p[threadIdx.x] = s.by;\n}\nvoid run(const Sizes& all, float* d) {\n  k<<<all.blocks, 64>>>(d, all, ' +
        'all.more);\n}\n',
      (file) => {
        writeFileSync(join(dirname(file), 'sizes.h'), 'struct Sizes { int nx, blocks; float by; int more; };\n')
        const source = cudaSource(readFileSync(file, 'utf8'), file, compileCudaFile(file)),
          launches = (args: Readonly<Record<string, number>>) =>
            launchesInText(source, { args }, {}).map((l) => [l.launch.grid, l.launch.args])
        expect(launches({ 's.blocks': 3, 's.nx': 8, n: 1 })).toEqual([[[3, 1, 1], { 's.nx': 8, 's.blocks': 3, n: 1 }]])
        expect(launches({ 'all.blocks': 3, 'all.nx': 8, 'all.more': 1 })).toEqual([
          [[3, 1, 1], { 2: 1, 's.nx': 8, 's.blocks': 3, 's.more': 1 }],
        ])
        const [launch] = launchesInText(source, { args: { 'all.blocks': 3, 'all.nx': 8, 'all.more': 1 } }, {}),
          report = explain(source, launch!.launch, { gpu: gpu('h200') })
        expect(report.accesses.find((a) => a.op === 'store')?.threads).toBe(27)
        expect(report.notes.find((n) => n.startsWith('values not given'))).toContain("'s.by'")
      },
    ))
  test('an integer that is divided by 0 is an error at its line, one that is asked before is not', () =>
    withFile(
      '__global__ void k(int* p, int n, int m) {\n  int each = m / (int)(blockDim.x / 64);\n  p[threadIdx.x] = n ? ' +
        'threadIdx.x / n : each;\n}\n',
      (file) => {
        const source = cudaSource(readFileSync(file, 'utf8'), file, compileCudaFile(file)),
          said = (threads: number, n: number) =>
            explain(
              source,
              { grid: [1, 1, 1], block: [threads, 1, 1], args: { n, m: 7 } },
              { gpu: gpu('h200') },
            ).hazards.map((h) => [h.level, h.kind, h.at?.line])
        expect(said(64, 0)).toEqual([])
        expect(said(32, 0)).toEqual([['error', 'division-by-zero', 2]])
      },
    ))
  test('constant functions of the host, and lambdas of the device', () =>
    withFile(
      '#include <limits>\n__global__ void k(float* p) { auto f = [=] __device__ (float x) { return x + ' +
        'std::numeric_limits<float>::max(); }; p[threadIdx.x] = f(p[threadIdx.x]); }\n',
      (file) => {
        expect(compileCudaFile(file).ptx).toContain('.entry')
      },
    ))
  test('what a launch lacks is said', () =>
    withFile('__global__ void k(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 0; }\n', (file) => {
      const { ptx } = compileCudaFile(file)
      const run = (launch: object) => () =>
        explain({ text: ptx, file: 'k.ptx', language: 'ptx' }, { grid: [1, 1, 1], ...launch }, { gpu: gpu('h200') })
      expect(run({})).toThrow('the number of threads per block is missing')
      expect(run({ block: [64, 1, 1] })).toThrow("the kernel's parameters need values: param_1 (u32, position 1)")
      expect(run({ block: [64, 1, 1], args: { 7: 1 } })).toThrow("the kernel reads no scalar '7'")
      expect(run({ block: [64, 1, 1], args: { 1: 1.5 } })).toThrow("'1' is u32, not 1.5")
      expect(run({ block: [64, 1, 1], args: { 1: 2 ** 32 } })).toThrow("'1' is u32, which cannot hold 4294967296")
      expect(run({ block: [64, 1, 1], args: { 1: -1 } })().buffers.length).toBe(1) // PTX does not say signs
      expect(run({ block: [2048, 1, 1], args: { 1: 1 } })).toThrow('is not between 1 and 1024')
      expect(run({ block: [64, 1, 1], args: { 1: 64 } })().buffers[0]?.bytes).toBe(256)
    }))

  test('a launch of a kernel that another file defines is refused at its own line', () => {
    const host = (body: string): string => `int main() {\n  float* p; cudaMalloc(&p, 4096);\n  ${body}\n}`
    const far = '__global__ void far(float* x);\n',
      near = '__global__ void near(float* x) { x[threadIdx.x] = 1; }\n'
    const launches = (text: string): readonly unknown[] =>
      withFile(text, (file) => {
        const source = cudaSource(text, 'k.cu', compileCudaFile(file))
        return launchesInText(source, {}, {}).map((l) => l.refused?.message ?? l.entry)
      })
    expect(() => launches(far + host('far<<<4, 32>>>(p);'))).toThrow(
      /^k\.cu:4:3: error: 'far' is only declared here.*\n  hint: explain the file that defines it with --entry far/,
    )
    expect(launches(far + near + host('far<<<4, 32>>>(p); near<<<4, 32>>>(p);'))).toEqual([
      'near',
      "'far' is only declared here: the kernel that is launched is defined in another file",
    ])
  })
})
