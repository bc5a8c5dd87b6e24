// Sums, minima and values of branches that other loops are around are computations of their own: none is left to one
// thread, or to one thread an iteration (elements of groups may), and results are those of the source.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { optimize } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const programs = {
  'a minimum over products': `void f(int n, int m, int k, const float a[n][k], const float b[m][k], float y[n]) {
    for (int i = 0; i < n; i++) { float least = 1e30f; for (int o = 0; o < m; o++) { float s = 0;
      for (int t = 0; t < k; t++) for (int u = 0; u < 3; u++) s += a[i][t] * b[o][t] * u;
      if (s < least) least = s; } y[i] = least; } }`,
  'a mean of products, and a loop behind it': `void f(int n, int m, int k, const float a[n][k], const float b[m][k], \
float y[n][k]) { for (int i = 0; i < n; i++) { float mean = 0; for (int o = 0; o < m; o++) { float s = 0;
      for (int t = 0; t < k; t++) s += a[i][t] * b[o][t]; mean += s - 1; } mean /= m;
    for (int t = 0; t < k; t++) y[i][t] = a[i][t] + mean; } }`,
  'groups of channels': `void f(int n, int c, int e, float y[n][c][e]) { for (int i = 0; i < n; i++)
    for (int h = 0; h < 4; h++) { float s = 0; for (int o = h * (c / 4); o < (h + 1) * (c / 4); o++)
      for (int j = 0; j < e; j++) s += y[i][o][j]; float mu = s / (c / 4 * e);
    for (int o = h * (c / 4); o < (h + 1) * (c / 4); o++) for (int j = 0; j < e; j++) y[i][o][j] -= mu; } }`,
  'a clamp of several branches': `void f(int n, const float x[n], float y[n], float lo, float hi) {
    for (int i = 0; i < n; i++) { float v = x[i] * 2, w = 0; if (v < lo) v = lo; else if (v > hi) v = hi;
      if (v > 0) { w = v; v = v * v; } y[i] = v + w; } }`,
}

test.each(Object.entries(programs))('%s', async (name, text) => {
  const program = await readC(text)
  const names = analyse(program).parts.map((p) => p.sketch.name)
  const slow = ['sequential', 'one-block', ...(name.startsWith('groups') ? [] : ['per-iteration'])]
  expect(names.filter((n) => slow.includes(n))).toEqual([])
  const { verified } = await optimize(program, { gpu: gpu('h200'), targets: ['wgsl'], budget: 1 })
  expect(verified.ok).toBe(true)
})
