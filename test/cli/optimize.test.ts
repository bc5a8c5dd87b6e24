import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith, root, tesela } from './run.ts'

interface Report {
  readonly schema: string
  readonly program: string
  readonly gpu: string
  readonly kernels: readonly {
    name: string
    grid: number[]
    block: number[]
    schedule: string[]
    files: Record<string, string | null>
    prediction: { ns: number; boundBy: string; terms: object }
    measured: unknown
  }[]
  readonly ladder: readonly {
    step: string
    prediction: { ns: number } | null
    refused: string | null
    measured: unknown
    sectorsPerRequest: number
    sharedWavefrontExcess: number
    occupancy: number
  }[]
  readonly verified: { against: string; sizes: unknown[]; maxRelativeError: number; bound: number }
  readonly search: { candidates: number; predicted: number; measured: number; seconds: number }
  readonly passes: readonly { name: string; runs: number; changes: number; ms: number }[]
}

const scale = 'void scale(int n, const double *x, double *y) {\n  for (int i = 0; i < n; i++) y[i] = 2.5 * x[i];\n}\n'
const reportOf = (args: readonly string[], cwd?: string): Report => {
  const r = tesela(['optimize', ...args, '--json'], cwd)
  expect(r.err).toBe('')
  expect(r.code).toBe(0)
  return JSON.parse(r.out) as Report // asserted by the tests
}

test.each([
  'gemm',
  'sum',
  'transpose',
])('%s: the JSON follows the contract, and the files it names are there', (name) => {
  const cwd = folderWith({})
  const r = reportOf([join(root, `examples/${name}.c`), '-D', 'n=100', '--budget', '3'], cwd)
  expect(r).toMatchObject({
    schema: 'tesela.optimize/1',
    program: name,
    gpu: 'h200',
    verified: { against: 'reference' },
    search: { measured: 0 },
  })
  for (const k of r.kernels) {
    expect(Object.keys(k.files)).toEqual(['wgsl', 'cuda', 'ts'])
    for (const file of Object.values(k.files))
      expect(readFileSync(join(cwd, file ?? '?'), 'utf8').length).toBeGreaterThan(200)
    expect(readFileSync(join(cwd, k.files['wgsl'] ?? '?'), 'utf8')).toContain(`fn ${k.name}(`)
    expect(k.prediction.ns).toBeGreaterThan(0)
    expect(k.measured).toBeNull()
    expect([k.grid.length, k.block.length, k.schedule.length > 0]).toEqual([3, 3, true])
  }
  expect(r.ladder.length).toBeGreaterThan(2)
  for (const s of r.ladder)
    expect(Object.keys(s)).toEqual(
      expect.arrayContaining([
        'step',
        'prediction',
        'measured',
        'sectorsPerRequest',
        'sharedWavefrontExcess',
        'occupancy',
      ]),
    )
  expect(r.verified.maxRelativeError).toBeLessThanOrEqual(r.verified.bound)
  expect(r.verified.sizes.length).toBeGreaterThan(1)
  if (name === 'sum') expect(r.verified.sizes).toContainEqual({ n: 100 }) // small enough for the reference
  expect(r.search.predicted).toBeLessThanOrEqual(3)
  const written = JSON.parse(readFileSync(join(cwd, `out/${name}/report.json`), 'utf8')) as Report
  expect(written).toEqual(r)
})

test('the terminal report has every part, no colours and no progress when piped', () => {
  const r = tesela([
    'optimize',
    join(root, 'examples/separable.c'),
    '-D',
    'n=256',
    '-D',
    'm=256',
    '--budget',
    '2',
    '-o',
    'kernels/',
  ])
  expect(r.err).toBe('')
  for (const s of [
    'What the source says',
    'From plain to fast',
    'The kernels',
    'Proof',
    'Files',
    'Where the numbers come from',
    'for t  reduction  sum into s',
    'kernels/separable.cu ',
    'mean error',
  ])
    expect(r.out).toContain(s)
  expect(r.out).not.toContain('\u001b')
  for (const line of r.out.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120)
})

test('the same seed gives the same report and the same files', () => {
  const args = [join(root, 'examples/gemv.c'), '-D', 'n=300', '-D', 'm=200', '--budget', '4', '--seed', '7', '-o', 'k']
  const [a, b] = [folderWith({}), folderWith({})]
  const text = (cwd: string): string => {
    const r = reportOf(args, cwd)
    return JSON.stringify({ ...r, search: { ...r.search, seconds: 0 }, passes: r.passes.map((p) => ({ ...p, ms: 0 })) })
  }
  expect(text(a)).toBe(text(b))
  for (const f of readdirSync(join(a, 'k')))
    if (f !== 'report.json') expect(readFileSync(join(a, 'k', f), 'utf8')).toBe(readFileSync(join(b, 'k', f), 'utf8'))
})

test('double precision: refused for WGSL with both ways out, and both work', () => {
  const cwd = folderWith({ 'scale.c': scale })
  const r = tesela(['optimize', 'scale.c'], cwd)
  expect(r.code).toBe(2)
  expect(r.err).toBe(
    "scale.c:1:33: error: 'x' is double precision, which WGSL does not have [wgsl.double]\n  1 | void " +
      'scale(int n, const double *x, double *y) {\n    |                                 ^\n  hint: compute ' +
      'in single precision with --precision f32, or keep double and emit CUDA alone with --target cuda\n',
  )
  expect(readdirSync(cwd)).toEqual(['scale.c'])
  const single = reportOf(['scale.c', '--precision', 'f32', '--budget', '2'], cwd)
  expect(readFileSync(join(cwd, single.kernels[0]?.files['cuda'] ?? '?'), 'utf8')).not.toContain('double')
  const double = reportOf(['scale.c', '--target', 'cuda', '--budget', '2'], cwd)
  expect(double.kernels[0]?.files).toMatchObject({ wgsl: null, ts: null })
  expect(readFileSync(join(cwd, double.kernels[0]?.files['cuda'] ?? '?'), 'utf8')).toContain('const double*')
})

test('what is not supported is shown with its line and a caret', () => {
  const r = tesela(
    ['optimize', 'w.c'],
    folderWith({ 'w.c': 'void f(int n, float *x) {\n  x[0] = n;\n  goto nowhere;\n  x[1] = 0;\n}\n' }),
  )
  expect(r.code).toBe(2)
  expect(r.err).toContain(
    'w.c:3:3: error: goto nowhere, which is no label of this function, is not supported [c.statement]\n  3 ' +
      '|   goto nowhere;\n    |   ^^^^\n  hint: ',
  )
})

test('bad input of every other kind is one sentence, exit 2, and leaves nothing behind', () => {
  const cwd = folderWith({
    'scale.c': scale,
    'wide.c':
      'unsigned f(int n, unsigned *a) { unsigned long s = 1; for (int i = 0; i < n; i++) s = s * 7 + a[i]; ' +
      'return s >> 40; }\n',
    'esc.c': 'void f(int n) { \u001b[31m }\n',
  })
  const says = (args: readonly string[], text: string | RegExp): void => {
    const r = tesela(['optimize', ...args], cwd)
    expect({ code: r.code, out: r.out }).toEqual({ code: 2, out: '' })
    expect(r.err).toMatch(text)
    expect(r.err).not.toContain('\u001b')
  }
  says(['no.c'], 'there is no file no.c')
  says(['.'], '. is a folder, not a file')
  says(['wide.c'], "wide.c:1:48: error: 's' needs integers of 64 bits, which WGSL does not have [wgsl.wide]")
  says(['esc.c'], 'esc.c:1:')
  says(['scale.c', '--precision', 'f32', '-o', 'scale.c'], 'scale.c is a file, not a folder')
  says(['scale.c', '--function', 'g', '--target', 'cuda'], 'there is no function g')
  says(['scale.c', '-D', 'n=abc', '--target', 'cuda'], '-D n=abc is no number')
  says(['scale.c', '-D', '=4'], 'NAME=VALUE')
  expect(readdirSync(cwd).sort()).toEqual(['esc.c', 'scale.c', 'wide.c'])
})

test('-D macros and -I folders reach the preprocessor', () => {
  const cwd = folderWith({
    'f.c':
      '#include "k.h"\nvoid f(int n, const float *x, float *y) { for (int i = 0; i < n; i++) y[i] = K * x[i] + J; }\n',
  })
  const inc = folderWith({ 'k.h': '#define K 3.0f\n' })
  expect(tesela(['optimize', 'f.c', '-D', 'J=2.0f'], cwd).code).toBe(2)
  const r = reportOf(['f.c', '-I', inc, '-D', 'J=2.0f', '--budget', '2', '-D', 'n=4096'], cwd)
  const text = readFileSync(join(cwd, r.kernels[0]?.files['wgsl'] ?? '?'), 'utf8')
  expect(text).toMatch(/3\.0/)
  expect(text).toMatch(/2\.0/)
})
