// Records of iterations that the threads of a block move together: which programs have them, and that every rung
// computes what the source does, at sizes that are no multiple of a block, of one, and of none.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { rungsHold } from '../rungs.ts'
import { sizesOf, verified } from '../support.ts'

const sizes = [[37], [300], [1], [2]]

/** Whether its point for records is there, and right. */
async function recordsHold(source: string): Promise<void> {
  const p = await readC(source),
    a = analyse(p)
  expect(a.parts.map((x) => x.sketch.name)).toEqual(['per-iteration'])
  const points = a.parts[0]!.sketch.space.filter((q) => q['records'] === 1)
  expect(points[0]?.['threads']).toBe(256)
  const v = verified(
    a,
    [points.at(-1)!],
    sizes.map((s) => sizesOf(p, s)),
  )
  expect({ ok: v.ok, why: v.why }).toEqual({ ok: true, why: undefined })
  await rungsHold(source, ['per-iteration'], sizes)
}

describe('records that a block moves together', () => {
  test('members of a structure that are changed in part', () =>
    recordsHold(
      'struct p { float x, y, z, vx, vy; }; void f(int n, struct p *p) { for (int i = 0; i < n; i++) { p[i].x += ' +
        'p[i].vx; p[i].y += p[i].vy; if (p[i].y < 0) { p[i].y = -p[i].y; p[i].vy = -p[i].vy; } } }',
    ))
  test('small matrices, read and written whole', () =>
    recordsHold(
      'void f(int n, const float a[n][3][3], float r[n][3][3]) { for (int i = 0; i < n; i++) { float c[3][3]; for ' +
        '(int p = ' +
        '0; p < 3; p++) for (int q = 0; q < 3; q++) c[p][q] = a[i][(p + 1) % 3][q] * a[i][p][(q + 2) % 3]; float d = ' +
        'c[0][0] + c[1][1] * c[2][2]; for (int p = 0; p < 3; p++) for (int q = 0; q < 3; q++) r[i][q][p] = ' +
        'c[p][q] * d; } }',
    ))
  test('an even number of elements', () =>
    recordsHold(
      'void f(int n, float a[n][4]) { for (int i = 0; i < n; i++) { float s = a[i][0] + a[i][3]; if (a[i][1] > s) { ' +
        'a[i][1] = s; a[i][2] *= 2; s = -s; } a[i][0] = s * a[i][2]; } }',
    ))
  test('the last records first', () =>
    recordsHold(
      'void f(int n, const float *x, float *y) { int o = 0; for (int j = n - 3; j >= 0; j -= 3) { y[o++] = x[j] * ' +
        '0.5f; ' +
        'y[o++] = x[j + 1] + x[j]; y[o++] = x[j + 2] * 2; } }',
    ))
  test('records with room between them', () =>
    recordsHold(
      'void f(int n, float *x) { for (int i = 0; i < n; i++) { float s = x[5 * i] + x[5 * i + 2]; x[5 * i] = s * ' +
        '0.5f; ' +
        'x[5 * i + 1] = s; } }',
    ))
  test('what conditions leave as it was', () =>
    recordsHold(
      'void f(int n, const float *w, float a[n][3]) { for (int i = 0; i < n; i++) if (w[i] > 0) { float s = ' +
        'a[i][0] + ' +
        'a[i][1]; a[i][0] = s; a[i][2] = s * w[i]; } }',
    ))
})

test.each([
  [
    'pairs',
    'void f(int n, float a[n][2]) { for (int i = 0; i < n; i++) { float s = a[i][0]; a[i][0] = a[i][1]; a[i][1] = ' +
      's; } }',
  ],
  [
    'records that neighbours read as well',
    'void f(int n, const float *x, float *y) { for (int i = 0; i < n - 1; i++) { float s = x[3 * i] - x[3 * i + ' +
      '4]; y[i] = s ' +
      '* s; y[n + i] = s; } }',
  ],
])('none: %s', async (_, source) => {
  const all = analyse(await readC(source)).parts.flatMap((x) => x.sketch.space)
  expect(all.filter((q) => q['records'] === 1)).toEqual([])
})
