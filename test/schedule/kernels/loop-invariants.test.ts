// What is asked, or computed, once rather than in every round or lane: functions of floats before loops, conditions on
// data around vectors; and that the search ends with what is best at the planned sizes, where spills count where they
// are.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { gpu } from '../../../src/gpus/index.ts'
import { liftGuard } from '../../../src/schedule/index.ts'
import { parseProgram, printProgram } from '../../../src/ir/index.ts'
import { optimize, type Optimized } from '../../../src/tune/index.ts'
import { searchAll } from '../../../src/tune/candidate-search.ts'
import { buildFor, contextOf } from '../../../src/tune/context.ts'
import { wholeEstimate } from '../../../src/tune/ladder.ts'
import { readC } from '../../c/read.ts'

const optimized = async (text: string): Promise<Optimized> =>
  optimize(await readC(text), { gpu: gpu('h200'), targets: ['wgsl', 'cuda'], budget: 1 })

const wgslOf = ({ plan }: Optimized): string =>
  plan.variants[0]!.launches.map(({ emitted }) => emitted!.wgsl!.text).join('\n')

test.each([
  [
    'in a loop that data end, under a condition',
    `void f(int h, int w, int *it) {
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    float cr = -2 + 3.0f * x / w, zr = 0.1f;
    int k = 0;
    while (k < 64 && zr * zr < 4) { zr = zr * zr + cr; k++; }
    it[y * w + x] = k;
  } }`,
    /= div_f32\([^\n]*\n[\s\S]*for \(/,
    /for \([\s\S]*= [^\n]*div_f32\(/,
  ],
  [
    'from two loops',
    `#include <math.h>
void f(int n, int m, const float *x, const float *a, float *y) {
  for (int i = 0; i < n; i++) {
    float s = x[i];
    for (int j = 0; j < m; j++) for (int k = 0; k < j % 5; k++) s = s * 0.5f + expf(-0.01f * i) * a[j];
    y[i] = s;
  } }`,
    /exp\([^\n]*\n[\s\S]*for \(/,
    /for \([\s\S]*exp\(/,
  ],
])('a function that a loop does not change is computed before it: %s', async (_, text, before, inside) => {
  const made = wgslOf(await optimized(text))
  const body = made.slice(made.indexOf('@compute'))
  expect(body).toMatch(before)
  expect(body).not.toMatch(inside)
})

test('lanes under one condition on data are loaded as vectors', async () => {
  const made = wgslOf(
    await optimized(`#pragma tesela sizes(n = 65536, d = 16)
void f(int n, int d, const float *x, const int *label, float *sum) {
  for (int j = 0; j < 32; j++) for (int t = 0; t < d; t++) {
    float s = 0;
    for (int i = 0; i < n; i++) if ((label[i] & 31) == j) s += x[i * d + t];
    sum[j * d + t] = s;
  } }`),
  )
  expect(made).toMatch(/if \(eq\w*\) \{\n\s*let x_\w* = x\[/)
})

const guarded = (condition: string): string => `program p {
  size n = 64 min 1
  array k: i32[n] inout global
  array a: f32[n, 4] in global
  array y: f32[n, 4] out global
  for i in 0 .. n {
    for v in 0 .. 4 {
      if ${condition} {
        k[i] = 2
        y[i, v] = a[i, v]
      }
    }
  }
}`

test('a condition that changes, or that is another for each lane, stays inside', () => {
  const after = (condition: string): string =>
    printProgram(liftGuard(parseProgram(guarded(condition)), { loop: 'v' })).trim()
  expect(after('i < 7')).toMatch(/if i < 7 \{\n\s*for v/)
  for (const stays of ['k[i] == 1', 'i + v < 7']) expect(after(stays)).toBe(guarded(stays))
})

const everyday = (name: string): string =>
  readFileSync(resolve(__dirname, '../../../bench/everyday', `${name}.c`), 'utf8')

test.each(['gramian', 'biquad'])('%s: the best of a search is the best at the planned sizes', async (name) => {
  const c = contextOf(await readC(everyday(name)), { gpu: gpu('h200'), targets: ['wgsl'], budget: 16 })
  const { candidates } = await searchAll(c)
  const [first, ...others] = candidates
    .slice(0, 5)
    .map((points) => wholeEstimate(c, buildFor(c, points, 'wgsl', 'planned')).prediction.ns)
  for (const ns of others) expect(first).toBeLessThanOrEqual(1.1 * ns)
})

test('registers that are short behind a loop cost nothing in it', async () => {
  const c = contextOf(
    await readC(`#pragma tesela sizes(n = 2048)
void f(int n, float alpha, float beta, const float a[n][n], const float b[n][n], float c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float s = 0;
    for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];
    c[i][j] = alpha * s + beta * c[i][j];
  } }`),
    { gpu: gpu('h200'), targets: ['cuda'] },
  )
  const large = c.analysed.parts[0]!.sketch.space.find((p) => p['tm'] === 8 && p['tn'] === 16 && p['bm'] === 128)!
  const { launches } = wholeEstimate(c, buildFor(c, [large], 'cuda', 'planned'))
  const { terms, ns } = launches[0]!.prediction
  expect(terms.spill).toBeLessThan(0.05 * ns)
})
