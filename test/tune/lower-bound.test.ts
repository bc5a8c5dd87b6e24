// What any schedule must do, by hand for programs of which it is known, and what is said of plans that are far from it.
import { expect, test } from 'vitest'
import { gpu } from '../../src/gpus/index.ts'
import { lowerBound, optimize, plannedValues, type LowerBound } from '../../src/tune/index.ts'
import { readC } from '../c/read.ts'

const h200 = gpu('h200')

async function boundOf(source: string): Promise<LowerBound> {
  const program = await readC(source)
  return lowerBound(program, plannedValues(program), h200)
}

const product = (update: string): string => `#pragma tesela sizes(n = 512)
void f(int n, float a[n][n], float b[n][n], float c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float s = 0;
    for (int k = 0; k < n; k++) ${update}
    c[i][j] = s;
  }
}`

test('a product of matrices: n³ fused operations, three matrices', async () => {
  const bound = await boundOf(product('s += a[i][k] * b[k][j];'))
  expect(bound.operations.fp32).toBeCloseTo(512 ** 3, -1)
  expect(bound.bytes).toBe(3 * 4 * 512 ** 2)
  expect(bound.boundBy).toBe('fp32')
  const rate = h200.multiprocessors * h200.clockHz.value * h200.throughput.fp32.value
  expect(bound.ns).toBeCloseTo((1e9 * 512 ** 3) / rate + h200.launchNs.value, -2)
})

test('conditions on places count: half of a triangle', async () => {
  const bound = await boundOf(product('if (k <= i) s += a[i][k] * b[k][j];'))
  expect(bound.operations.fp32 / 512 ** 3).toBeGreaterThan(0.4)
  expect(bound.operations.fp32 / 512 ** 3).toBeLessThan(0.6)
})

test('a sum of vectors is bound by memory', async () => {
  const bound = await boundOf(`#pragma tesela sizes(n = 100000000)
void f(int n, float *y, const float *x) { for (int i = 0; i < n; i++) y[i] += x[i]; }`)
  expect(bound.bytes).toBe(12e8)
  expect(bound.boundBy).toBe('memory')
})

test('all strips of a row count, and what conditions on data read', async () => {
  const strips = await boundOf(`#pragma tesela sizes(n = 4096)
void f(int n, const float x[4096][64], float y[4096][8]) {
  for (int i = 0; i < n; i++) for (int k = 0; k < 8; k++) {
    y[i][k] = 0;
    for (int c = k * 8; c < (k + 1) * 8; c++) y[i][k] += x[i][c];
  }
}`)
  expect(strips.bytes).toBeGreaterThanOrEqual(4 * 4096 * (64 + 8))
  const best = await boundOf(`#pragma tesela sizes(n = 1000000)
void f(int n, const float *x, int *place) {
  float m = x[0]; int at = 0;
  for (int i = 1; i < n; i++) if (x[i] < m) { m = x[i]; at = i; }
  place[0] = at;
}`)
  expect(best.bytes).toBeGreaterThan(3.9e6)
})

test('what must run in order is named with its line', async () => {
  const program = await readC(`#pragma tesela sizes(n = 20000)
void f(int n, float *y, const int *place) {
  for (int i = 1; i < n; i++)
    y[i] = y[place[i]] * y[i - 1] + 1;
}`)
  const { distance } = await optimize(program, { gpu: h200, targets: ['cuda'], budget: 1 })
  expect(distance.times).toBeGreaterThan(2)
  expect(distance.finding).toMatchObject({ boundBy: 'order', lines: [3, 4] })
})

test('what data choose counts as little as they may ask for', async () => {
  const either = await boundOf(`#pragma tesela sizes(n = 1000000)
void f(int n, const int *c, const float *a, const float *b, float *y) {
  for (int i = 0; i < n; i++) y[i] = c[i] ? a[i] : b[i];
}`)
  expect(either.bytes).toBe(8e6)
  const gather = await boundOf(`#pragma tesela sizes(rows = 1000, width = 256, count = 1000000)
void f(int rows, int width, int count, const float x[rows][width], const int place[count], float y[count][width]) {
  for (int i = 0; i < count; i++) for (int j = 0; j < width; j++) y[i][j] = x[place[i]][j];
}`)
  expect(gather.bytes).toBe(4 * (256 + 1e6 + 256e6))
})
