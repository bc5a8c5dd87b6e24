// A sum that is changed, stored and used again in one iteration, as attention is written: a product, an element and a
// maximum, each a computation of its own. What the element does not hold any more is not read from it.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/pipeline.ts'
import { nestsOf } from '../../../src/regions/nests.ts'
import { readC } from '../../c/read.ts'
import { verified } from '../support.ts'

const scores = (rest: string, more = ''): string =>
  `void f(int n, int d, const float *q, const float *k, float *p, float *m) { for (int i = 0; i < n; i++) { ` +
  `float top = -1e30f; for (int j = 0; j <= i; j++) { float s = 0; for (int e = 0; e < d; e++) s += q[i * d + ` +
  `e] * k[j * d + e]; ${rest} } m[i] = top; ${more} } }`

test.each([
  ['stored and compared', scores('p[i * n + j] = s; if (s > top) top = s;'), ['contraction', 'reduction']],
  ['scaled first', scores('s *= 0.25f; p[i * n + j] = s; if (s > top) top = s;'), ['contraction', 'reduction']],
  [
    'set anew twice',
    scores('s = s * 0.25f; s += 1.0f; p[i * n + j] = s; top = fmaxf(top, s);'),
    ['contraction', 'reduction'],
  ],
  [
    'and a softmax below',
    scores(
      's *= 0.25f; p[i * n + j] = s; if (s > top) top = s;',
      'float z = 0; for (int j = 0; j <= i; j++) { p[i * n + j] = expf(p[i * n + j] - top); z += p[i * n + ' +
        'j]; } for (int j = 0; j <= i; j++) p[i * n + j] /= z;',
    ),
    ['contraction', 'reduction', 'elementwise', 'reduction', 'elementwise'],
  ],
])(
  '%s',
  async (_, source, sketches) => {
    const program = await readC(source),
      analysed = analyse(program)
    expect(nestsOf(program).parts.map((p) => p.kind)).toEqual(sketches.map(() => 'nest'))
    expect(analysed.parts.map((p) => p.sketch.name)).toEqual(sketches)
    const v = verified(
      analysed,
      analysed.parts.map(({ sketch: { ladder } }) => ladder[0]!.point),
      [
        { n: 37, d: 5 },
        { n: 20, d: 33 },
      ],
    ) // ladders are not empty
    expect([v.ok, v.why]).toEqual([true, undefined])
  },
  30_000,
)

test.each([
  ['the sum changes below the store', scores('p[i * n + j] = s; s += 1.0f; if (s > top) top = s;')],
  ['the element changes below the store', scores('p[i * n + j] = s; p[i * n + j] += 1.0f; if (s > top) top = s;')],
])(
  '%s',
  async (_, source) => {
    const analysed = analyse(await readC(source))
    const v = verified(
      analysed,
      analysed.parts.map(({ sketch: { ladder } }) => ladder[0]!.point),
      [{ n: 19, d: 5 }],
    )
    expect([v.ok, v.why]).toEqual([true, undefined])
  },
  30_000,
)
