// Searches for times of statements look at a bounded number of them, however many loops and statements there are.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { isLong } from '../../support/long.ts'
import { sizesOf, verified } from '../support.ts'

const im2col = `
#pragma tesela sizes(n = 16, c = 3, o = 64, d = 64, h = 64, w = 64)
void f(int n, int c, int o, int d, int h, int w, const float x[n][c][d + 2][h + 2][w + 2], const float k[o][c * 27],
       float y[n][o][d * h * w]) {
  float col[c * 27][d * h * w];
  for (int b = 0; b < n; b++) {
    for (int q = 0; q < c; q++)
      for (int a = 0; a < 3; a++)
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++)
            for (int z = 0; z < d; z++)
              for (int i = 0; i < h; i++)
                for (int j = 0; j < w; j++)
                  col[((q * 3 + a) * 3 + u) * 3 + v][(z * h + i) * w + j] = x[b][q][z + a][i + u][j + v];
    for (int e = 0; e < o; e++)
      for (int t = 0; t < d * h * w; t++) {
        float s = 0;
        for (int r = 0; r < c * 27; r++) s += k[e][r] * col[r][t];
        y[b][e][t] = s;
      }
  }
}`

const unit = `
#pragma tesela sizes(t = 128, n = 64, p = 256, h = 256)
void f(int t, int n, int p, int h, const float x[t][n][p], const float w[3][h][p], const float u[3][h][h],
       float state[n][h], float y[t][n][h]) {
  for (int s = 0; s < t; s++) {
    for (int r = 0; r < n; r++)
      for (int j = 0; j < h; j++) {
        float z = 0, q = 0, a = 0, v = 0;
        for (int k = 0; k < p; k++) {
          z += x[s][r][k] * w[0][j][k];
          q += x[s][r][k] * w[1][j][k];
          a += x[s][r][k] * w[2][j][k];
        }
        for (int k = 0; k < h; k++) {
          z += state[r][k] * u[0][j][k];
          q += state[r][k] * u[1][j][k];
          v += state[r][k] * u[2][j][k];
        }
        y[s][r][j] = (1 - z) * (a + q * v) + z * state[r][j];
      }
    for (int r = 0; r < n; r++)
      for (int j = 0; j < h; j++) state[r][j] = y[s][r][j];
  }
}`

/** Seconds that each took a fraction of when this was written, and minutes before. */
const limitMs = 120_000

const programs = [
  ['states that a row of gates makes', unit, [3, 5, 7, 6]],
  ['images that are unfolded one after the other', im2col, [2, 3, 5, 2, 3, 5]],
] as const

test.each(isLong ? programs : programs.slice(0, 1))('%s', { timeout: limitMs }, async (_, source, sizes) => {
  const p = await readC(source),
    a = analyse(p),
    v = verified(
      a,
      a.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point),
      [sizesOf(p, sizes)],
    )
  expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
})
