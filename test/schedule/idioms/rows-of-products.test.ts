// Rows of products of matrices that go on being computed with, kept in a local array or changed in place: they are a
// matrix, all of whose rows are made at once.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { verified } from '../support.ts'

test('the row is a local array', async () => {
  const program = await readC(`#include <math.h>
#pragma tesela sizes(b = 512, n = 2048)
void f(int b, int n, const float x[b][n], const float w[2048][n], float y[b]) {
  for (int i = 0; i < b; i++) {
    float row[2048], m = -INFINITY, s = 0;
    for (int j = 0; j < 2048; j++) {
      float t = 0;
      for (int k = 0; k < n; k++) t += x[i][k] * w[j][k];
      row[j] = t;
      if (t > m) m = t;
    }
    for (int j = 0; j < 2048; j++) s += expf(row[j] - m);
    y[i] = m + logf(s);
  }
}`)
  const analysed = analyse(program)
  expect(analysed.parts.map((p) => p.sketch.name)).toContain('contraction')
  expect(analysed.parts.map((p) => p.sketch.name)).not.toContain('per-point')
  const points = analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point) // ladders have rungs
  expect(verified(analysed, points, [{ b: 3, n: 5 }]).why).toBeUndefined()
})

test.each([
  'float e = expf(s[i][j] - m); s[i][j] = e; z += e;',
  's[i][j] = expf(s[i][j] - m); z += s[i][j];',
])('attention whose scores change in place: %s', async (change) => {
  const program = await readC(`#include <math.h>
#pragma tesela sizes(n = 1024, d = 64)
void f(int n, int d, const float q[n][d], const float k[n][d], const float v[n][d], float s[n][n], float o[n][d]) {
  for (int i = 0; i < n; i++) {
    float m = -INFINITY, z = 0;
    for (int j = 0; j < n; j++) {
      float t = 0;
      for (int e = 0; e < d; e++) t += q[i][e] * k[j][e];
      s[i][j] = t;
      if (t > m) m = t;
    }
    for (int j = 0; j < n; j++) { ${change} }
    for (int e = 0; e < d; e++) {
      float t = 0;
      for (int j = 0; j < n; j++) t += s[i][j] * v[j][e];
      o[i][e] = t / z;
    }
  }
}`)
  const analysed = analyse(program)
  expect(analysed.parts.filter((p) => p.sketch.name === 'contraction').length).toBe(2)
  const points = analysed.parts.map((p) => p.sketch.ladder.at(-1)!.point) // ladders have rungs
  expect(verified(analysed, points, [{ n: 21, d: 7 }]).why).toBeUndefined()
})
