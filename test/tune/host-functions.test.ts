// What emitted host functions decide, run and compared with the plan: right ones pass, and each kind of fault in their
// text is named.
import { expect, test } from 'vitest'
import { emitCudaLauncher, emitTypeScript } from '../../src/emit/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { optimize } from '../../src/tune/index.ts'
import { wrongHostFunction } from '../../src/tune/proof/host-functions.ts'
import { readC } from '../c/read.ts'

const product = `void f(int n, float a, const float x[n][n], const float y[n][n], float z[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += x[i][k] * y[k][j]; z[i][j] = a * s; }
}`
const sweeps = `void f(int t, int n, float *x, float *y) {
  for (int s = 0; s < t; s++) { x[0] = 1; for (int i = 1; i < n; i++) x[i] = x[i - 1] + y[i];
    for (int i = 0; i < n; i++) y[i] = x[n - 1 - i]; }
}`

const made = async (c: string): ReturnType<typeof optimize> =>
  optimize(await readC(c), { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })

test('faults in the text of a host function are named, each at the launch that it stands in', async () => {
  const { plan, verified, hostRun } = await made(product)
  const { text } = emitTypeScript(plan)
  const said = (from: RegExp | string, to: string): string | null | undefined => {
    const other = text.replace(from, to)
    expect(other).not.toBe(text)
    return wrongHostFunction(plan, verified.sizes, other)
  }
  expect(hostRun).toBe(true)
  expect(wrongHostFunction(plan, verified.sizes)).toBeUndefined()
  expect(said(/grid: \[Math\.trunc\(\(given\.n \+ \d+\)/, 'grid: [Math.trunc((given.n + 1)')).toMatch(/has the grid/)
  expect(said(/kind: 'read-write'/, "kind: 'read'")).toMatch(/binds other arrays/)
  expect(said(/array: 'x'/, "array: 'y'")).toMatch(/binds other arrays/)
  expect(said(/value: given\.n/, 'value: given.n + 1')).toMatch(/passes n \d+/)
  expect(said(/value: given\.a/, 'value: -given.a')).toMatch(/passes/)
  expect(said(/z: checkedElements\('z', given\.n \* given\.n\)/, 'z: given.n')).toMatch(/gives z \d+ elements/)
  expect(said(/n: checkedSize\('n', args\.n/, "n: checkedSize('n', args.n + 1")).toMatch(/takes n as/)
  expect(said('value >= least &&', 'value > least &&')).toMatch(/refuses sizes that the plan takes/)
  expect(said(/elements <= \d{10}/, 'elements > 0')).toMatch(/sizes that the plan/)
  expect(said(/if \(given\.n < 1\)/, 'if (given.n > 1)')).toMatch(/ends after 0 launches|goes on/)
  expect(said(/given\.n % 4 == 0/, 'given.n % 4 != 0')).toMatch(/another text|has the grid|launches/)
  expect(said(/ {2}yield \{\n/, '  if (given.n > 1e6) yield {\n')).toMatch(/launch/)
})

test('loops of the host are compared launch by launch', async () => {
  const { plan, verified, hostRun } = await made(sweeps)
  expect(hostRun).toBe(true)
  const { text } = emitTypeScript(plan)
  const unlimited = text.replace(/value >= least && value <= \d{10}/, 'value >= least')
  expect(unlimited).not.toBe(text)
  expect(wrongHostFunction(plan, verified.sizes, unlimited)).toMatch(/takes sizes that the plan refuses/)
  // in the variant that stands last, which takes any size
  const longer = text.replace(/([^]*)< given\.t\b/, '$1< given.t + 1')
  expect(wrongHostFunction(plan, verified.sizes, longer)).toMatch(/goes on after \d+ launches/)
  const twice = text.replace(/([^]*\n)( +yield \{\n[^]*?\n +\}\n)/, '$1$2$2')
  expect(wrongHostFunction(plan, verified.sizes, twice)).toMatch(/goes on after|takes another text|passes/)
})

test('a loop of the host that stands for a condition ends as the plan says, in both languages', async () => {
  const program = await readC(`void f(int flag, int n, float *y) {
    if (flag) {
      for (int t = 0; t < 2; t++) for (int i = 1; i < n - 1; i++) y[i] = (y[i - 1] + y[i + 1]) / 2;
    } else for (int i = 0; i < n; i++) y[i] += 1;
  }`)
  const { plan, cudaPlan, hostRun } = await optimize(program, {
    gpu: gpu('h200'),
    targets: ['wgsl', 'cuda'],
    budget: 1,
  })
  expect(hostRun).toBe(true)
  for (const text of [emitTypeScript(plan).text, emitCudaLauncher(cudaPlan!).text])
    for (const [, end = ''] of text.matchAll(/^ *for \([^;]*; (?:.* && )?\w+ < ([^;]*);/gm))
      if (/[?<>=]/.test(end)) expect(end).toMatch(/^\(.*\)$/)
})

test('what a host asks of a number of the caller is compared below 0, too', async () => {
  const { plan, verified, hostRun } = await made(`void f(int flag, int n, float *y, float *z) {
    if (flag) { for (int t = 0; t < 2; t++) for (int i = 1; i < n - 1; i++) y[i] = (y[i - 1] + y[i + 1]) / 2; }
    else for (int i = 0; i < n; i++) z[i + flag] += 1;
  }`)
  expect(hostRun).toBe(true)
  const { text } = emitTypeScript(plan),
    other = text.replaceAll('given.flag != 0', 'given.flag > 0')
  expect(other).not.toBe(text)
  expect(wrongHostFunction(plan, verified.sizes, other)).toMatch(/"flag":-1/)
})

test('a grid that unsigned numbers choose is what C makes of them', async () => {
  const { plan, verified, hostRun } = await made(`void f(int n, int k, float *y) {
    for (int i = 0; i < ((unsigned)k * 2654435769u < 3000000000u ? n : n / 2); i++) y[i] += 1;
  }`)
  expect(hostRun).toBe(true)
  const { text } = emitTypeScript(plan),
    other = text.replaceAll('>>> 0', '+ 0')
  expect(other).not.toBe(text)
  expect(wrongHostFunction(plan, verified.sizes, other)).toMatch(/has the grid/)
  expect(emitCudaLauncher(plan).text).toContain('(unsigned)')
})
