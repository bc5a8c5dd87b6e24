// Local tables of constants: which are gone, what is left of them once small loops are written out, and that programs
// with them compute what they did. Tables that something changes, or that are too large to choose from, stay in memory.
import { describe, expect, test } from 'vitest'
import { emitPlan } from '../../../src/emit/index.ts'
import { analyse, build } from '../../../src/pipeline.ts'
import { readC } from '../../c/read.ts'
import { sizesOf, verified } from '../support.ts'

type Case = readonly [name: string, text: string, gone: boolean]

const cases: readonly Case[] = [
  [
    'a window with weights',
    'void f(int n, const float *x, float *y) { static const float k[5] = {0.0625f, 0.25f, 0.375f, 0.25f, ' +
      '0.0625f}; for (int i = 2; i < n-2; i++) { float s = 0; for (int d = -2; d <= 2; d++) s += ' +
      'k[d+2]*x[i+d]; y[i] = s; } }',
    true,
  ],
  [
    'weights in two dimensions',
    'void f(int n, int m, const float *x, float *y) { const int k[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, ' +
      '1}}; for (int i = 1; i < n-1; i++) for (int j = 1; j < m-1; j++) { float s = 0; for (int a = 0; a < 3; ' +
      'a++) for (int b = 0; b < 3; b++) s += k[a][b]*x[(i+a-1)*m+j+b-1]; y[i*m+j] = s; } }',
    true,
  ],
  [
    'directions, several loops in a thread',
    'void f(int h, int w, const float f0[5][h][w], float g[5][h][w]) { static const int cx[5] = {0,1,0,-1,0}, ' +
      'cy[5] = {0,0,1,0,-1}; for (int y = 1; y < h-1; y++) for (int x = 1; x < w-1; x++) { float r = 0, u = ' +
      '0, q[5]; for (int k = 0; k < 5; k++) { q[k] = f0[k][y-cy[k]][x-cx[k]]; r += q[k]; u += cx[k]*q[k]; } ' +
      'for (int k = 0; k < 5; k++) g[k][y][x] = q[k] + r*cx[k] - u*cy[k]; } }',
    true,
  ],
  [
    'chosen by data, few',
    'void f(int n, const int *c, float *y) { const float t[4] = {1, 10, 100, 1000}; for (int i = 0; i < n; ' +
      'i++) y[i] = t[c[i] & 3]; }',
    true,
  ],
  [
    'a table in the subscript of another',
    'void f(int n, const float *x, float *y) { const int p[4] = {2, 0, 3, 1}; const float t[4] = {1, 2, 3, ' +
      '4}; for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < 4; k++) s += t[p[k]]*x[4*i+p[k]]; ' +
      'y[i] = s; } }',
    true,
  ],
  [
    'chosen by data, many',
    'void f(int n, const int *c, float *y) { const float t[12] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, ' +
      '1024, 2048}; for (int i = 0; i < n; i++) y[i] = t[(c[i] & 7) + 2]; }',
    false,
  ],
  [
    'changed later',
    'void f(int n, const float *x, float *y) { float t[3] = {1, 2, 3}; for (int k = 0; k < 3; k++) t[k] += ' +
      'x[k]; for (int i = 0; i < n; i++) y[i] = t[0]*x[i] + t[1] + t[2]; }',
    false,
  ],
]

const plain = (text: string): string => text.replace(/\s+/g, ' ')

describe('tables of constants', () => {
  test.each(cases)('%s', async (_, source, gone) => {
    const p = await readC(source),
      a = analyse(p),
      tables = p.body.flatMap((s) => (s.kind === 'declare' && s.array.shape.length > 0 ? [s.array.name] : []))
    expect(tables.length).toBeGreaterThan(0)
    const arrays = new Set(
      build(
        a,
        a.parts.map(({ sketch: { ladder } }) => ladder.at(-1)!.point),
      ).plan.arrays.map((x) => x.name),
    )
    if (gone) expect(tables.filter((t) => arrays.has(t))).toEqual([])
    for (const rung of [0, 99]) {
      const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
      const v = verified(
        a,
        points,
        [
          [9, 7],
          [66, 35],
        ].map((s) => sizesOf(p, s)),
      )
      expect({ rung, ok: v.ok, why: v.why }).toEqual({ rung, ok: true, why: undefined })
    }
  })

  test(
    'small loops are written out: no choice is left, and no subscript of a register array that a thread ' + 'computes',
    async () => {
      const a = analyse(await readC(cases[2]![1])),
        texts = emitPlan(
          build(
            a,
            a.parts.map(({ sketch: { ladder } }) => ladder[0]!.point),
          ).plan,
          { targets: ['wgsl', 'cuda'] },
        )
          .variants.at(-1)!
          .launches.map((l) => l.emitted!)
      expect(texts).toHaveLength(1)
      for (const t of [texts[0]!.wgsl!.text, texts[0]!.cuda!.text]) expect(plain(t)).not.toMatch(/select\(| \? |for \(/)
    },
  )
})
