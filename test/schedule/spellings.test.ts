// One computation, spelled in several ways: all spellings get the same schedules, and both ends of their ladders
// compute what the source says. A spelling that falls from a cliff shows as a sketch of another name or as a loop of
// the host.
import { describe, expect, test } from 'vitest'
import { analyse } from '../../src/pipeline.ts'
import { readC } from '../c/read.ts'
import { sizesOf, verified } from './support.ts'

interface Group {
  /** What all spellings get: the sketches, in the order of the parts, and the last steps of their ladders. */
  readonly sketches: readonly string[]
  readonly top?: string
  readonly sizes: readonly (readonly number[])[]
  readonly spellings: Readonly<Record<string, string>>
}

const lines = (...all: readonly string[]): string => all.join('\n')

const product = (declared: string, behind: string, at = 'z[n][h]'): string =>
  lines(
    'void f(int B, int I, int H, const float x[B][I], const float w[H][I], const float b[H], float z[B][H],',
    '       float y[B]) {',
    '  for (int n = 0; n < B; n++) {',
    '    for (int h = 0; h < H; h++) {',
    `      float ${declared};`,
    '      for (int i = 0; i < I; i++) s += x[n][i] * w[h][i];',
    `      ${behind}`,
    '    }',
    `    float m = ${at.replace('[h]', '[0]')};`,
    `    for (int h = 1; h < H; h++) m = fmaxf(m, ${at});`,
    '    float t = 0;',
    `    for (int h = 0; h < H; h++) t += expf(${at} - m);`,
    '    y[n] = m + logf(t);',
    '  }',
    '}',
  )

const groups = (first: string, last: string, at: string): string =>
  lines(
    'void f(int B, int H, const float x[B][8][H], const float g[8], float y[B][8][H]) {',
    '  for (int n = 0; n < B; n++)',
    '    for (int k = 0; k < 4; k++) {',
    '      float s = 0, q = 0;',
    `      for (int c = ${first}; c < ${last}; c++) for (int i = 0; i < H; i++) s += x[n][${at}][i];`,
    '      float m = s / (2 * H);',
    `      for (int c = ${first}; c < ${last}; c++)`,
    `        for (int i = 0; i < H; i++) q += (x[n][${at}][i] - m) * (x[n][${at}][i] - m);`,
    '      float r = 1 / sqrtf(q / (2 * H) + 1e-5f);',
    `      for (int c = ${first}; c < ${last}; c++)`,
    `        for (int i = 0; i < H; i++) y[n][${at}][i] = (x[n][${at}][i] - m) * r * g[${at}];`,
    '    }',
    '}',
  )

const diagonal = (body: string): string =>
  lines(
    'void f(int n, int m, const float d[n], const float b[n][m], float c[n][m]) {',
    `  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { ${body} }`,
    '}',
  )

const blocked = (loops: string, sum: string): string =>
  lines(
    'void f(int n, int m, const float a[n][m], const float b[m][n], float c[n][n]) {',
    `  ${loops} {`,
    '    float s = c[i][j];',
    `    ${sum} s += a[i][k] * b[k][j];`,
    '    c[i][j] = s;',
    '  }',
    '}',
  )

const running = (body: string): string =>
  lines('void f(int n, int m, const float x[n][m], float y[n][m]) {', `  for (int i = 0; i < n; i++) { ${body} }`, '}')

const moments = (body: string): string =>
  lines(
    'void f(int n, int m, const float x[n][m], float y[n][2]) {',
    '  for (int i = 0; i < n; i++) {',
    '    float a = 0, q = 0, c = 0;',
    `    for (int j = 0; j < m; j++) { ${body} }`,
    '    y[i][0] = a; y[i][1] = q / m;',
    '  }',
    '}',
  )

const longRows = (body: string): string =>
  lines(
    '#pragma tesela sizes(B = 16, F = 1048576)',
    'void f(int B, int F, const float x[B][F], float y[B][F]) {',
    `  for (int n = 0; n < B; n++) { ${body} }`,
    '}',
  )

const layouts = (body: string): string =>
  lines(
    'void f(int n, int m, int to, const float *x, float *y) {',
    `  for (int c = 0; c < m; c++) for (int i = 0; i < n; i++) { ${body} }`,
    '}',
  )

const inOrderOf = (first: string, second: string, a: string, b: string): string =>
  lines(
    'void f(int n, int m, const float x[n][m], float y[n][m]) {',
    `  for (int ${a} = 0; ${first}; ${a}++) for (int ${b} = 0; ${second}; ${b}++) {`,
    '    float s = 0, q = 0;',
    '    for (int k = 0; k < 3; k++) { s += x[i][j] * k; q = fmaxf(q, s) * 0.5f; }',
    '    y[i][j] = s * q;',
    '  }',
    '}',
  )

const least = (body: string): string =>
  lines(
    'void f(int B, int D, int E, const float x[B][D][E], int y[B][E]) {',
    `  for (int n = 0; n < B; n++) for (int j = 0; j < E; j++) { ${body} }`,
    '}',
  )

const greatest = (loops: string): string =>
  lines(
    'void f(int B, int D, int E, const float x[B][D][E], int y[B][E]) {',
    '  for (int n = 0; n < B; n++) {',
    '    float m[E];',
    '    for (int j = 0; j < E; j++) { m[j] = x[n][0][j]; y[n][j] = 0; }',
    `    ${loops} if (x[n][i][j] > m[j]) { m[j] = x[n][i][j]; y[n][j] = i; }`,
    '  }',
    '}',
  )

const softmax = (body: string): string =>
  lines(
    'void f(int B, int F, const float x[B][F], float y[B][F]) {',
    `  for (int n = 0; n < B; n++) { float m = -INFINITY, s = 0; ${body}`,
    '    for (int i = 0; i < F; i++) y[n][i] = x[n][i] - m - logf(s); }',
    '}',
  )

const attention = (body: string): string =>
  lines(
    '#pragma tesela sizes(L = 512, E = 64)',
    'void f(int L, int E, const float q[L][E], const float k[L][E], const float v[L][E], float o[L][E]) {',
    `  for (int i = 0; i < L; i++) { float m = -INFINITY, s = 0; ${body} }`,
    '}',
  )

const columns = (body: string): string =>
  lines(
    'void f(int D, int E, const float x[D][E], float y[D][E]) {',
    `  float s[E]; for (int j = 0; j < E; j++) s[j] = 0; ${body}`,
    '}',
  )

const triangle = (body: string): string =>
  lines(
    'void f(int n, const float a[n][n], const float b[n][n], float c[n][n]) {',
    `  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { ${body} }`,
    '}',
  )

const all: Readonly<Record<string, Group>> = {
  'a product, a chain of updates, the logarithm of a sum of exponentials': {
    sketches: ['contraction', 'rows'],
    sizes: [
      [5, 7, 9],
      [3, 33, 35],
    ],
    spellings: {
      'updates in place': product('s = b[h]', 's *= 2; s += s; z[n][h] = s;'),
      'a choice between': product('s = b[h]', 's *= 2; if (s < 0) s = 0; s += s; if (s > 9) s = 9; z[n][h] = s;'),
      'one expression': product('s = b[h]', 'z[n][h] = s * 2 + s * 2;'),
      'named values': product('s = b[h]', 'float d = s * 2; float e = d + d; z[n][h] = e;'),
    },
  },
  'normalised groups of channels': {
    sketches: ['rows', 'elementwise'],
    sizes: [
      [2, 9],
      [3, 132],
    ],
    spellings: {
      'channels from the first of the group to that of the next': groups('k * 2', '(k + 1) * 2', 'c'),
      'channels of the group': groups('0', '2', 'k * 2 + c'),
    },
  },
  'few long rows, a sum that needs a sum': {
    sketches: ['rows', 'rows', 'elementwise'],
    sizes: [
      [3, 37],
      [2, 300],
    ],
    spellings: {
      'mean, then variance': longRows(
        'float s = 0, v = 0; for (int i = 0; i < F; i++) s += x[n][i]; for (int i = 0; i < F; i++) v += (x[n][i] - ' +
          's / F) * (x[n][i] - s / F); for (int i = 0; i < F; i++) y[n][i] = (x[n][i] - s / F) / sqrtf(v / F + 1);',
      ),
      'with named differences': longRows(
        'float s = 0; for (int i = 0; i < F; i++) s += x[n][i]; float m = s / F, v = 0; for (int i = 0; i < F; i++) ' +
          '{ float d = x[n][i] - m; v += d * d; } for (int i = 0; i < F; i++) y[n][i] = (x[n][i] - m) / sqrtf(v / F ' +
          '+ 1);',
      ),
    },
  },
  'few long rows, a sum around the greatest': {
    sketches: ['rows', 'rows', 'elementwise'],
    sizes: [
      [3, 37],
      [2, 9000],
    ],
    spellings: {
      'from nothing': longRows(
        'float m = -INFINITY, s = 0; for (int i = 0; i < F; i++) m = fmaxf(m, x[n][i]); for (int i = 0; i < F; i++) ' +
          's += expf(x[n][i] - m); for (int i = 0; i < F; i++) y[n][i] = expf(x[n][i] - m) / s;',
      ),
      'from the first': longRows(
        'float m = x[n][0]; for (int i = 1; i < F; i++) if (x[n][i] > m) m = x[n][i]; float s = 0; for (int i = 0; ' +
          'i < F; i++) { float e = expf(x[n][i] - m); s += e; } for (int i = 0; i < F; i++) y[n][i] = expf(x[n][i] ' +
          '- m) / s;',
      ),
    },
  },
  'rows twice as long': {
    sketches: ['elementwise'],
    sizes: [
      [5, 7],
      [3, 70],
    ],
    spellings: {
      'four results of each element': lines(
        'void f(int H, int W, const float x[H][W], float y[2 * H][2 * W]) {',
        '  for (int i = 0; i < H; i++) for (int j = 0; j < W; j++)',
        '    for (int k = 0; k < 2; k++) for (int l = 0; l < 2; l++) y[2 * i + k][2 * j + l] = x[i][j];',
        '}',
      ),
      'an element for each result': lines(
        'void f(int H, int W, const float x[H][W], float y[2 * H][2 * W]) {',
        '  for (int i = 0; i < 2 * H; i++) for (int j = 0; j < 2 * W; j++) y[i][j] = x[i / 2][j / 2];',
        '}',
      ),
    },
  },
  'a layout that the caller chooses': {
    sketches: ['transpose'],
    sizes: [
      [9, 7],
      [40, 66],
    ],
    spellings: {
      alone: lines(
        'void f(int n, int m, const float *x, float *y) {',
        '  for (int c = 0; c < m; c++) for (int i = 0; i < n; i++) y[i * m + c] = x[c * n + i];',
        '}',
      ),
      'a condition in the loops': layouts('if (to) y[i * m + c] = x[c * n + i]; else y[c * n + i] = x[i * m + c];'),
      'a choice of subscripts': layouts('int p = c * n + i, q = i * m + c; y[to ? q : p] = x[to ? p : q];'),
    },
  },
  'the order of loops': {
    sketches: ['per-iteration'],
    sizes: [
      [5, 40],
      [33, 7],
    ],
    spellings: {
      'along rows': inOrderOf('i < n', 'j < m', 'i', 'j'),
      'along columns': inOrderOf('j < m', 'i < n', 'j', 'i'),
    },
  },
  'the place of the least value in columns': {
    sketches: ['argument'],
    sizes: [
      [2, 70, 5],
      [1, 37, 66],
    ],
    spellings: {
      'less than the best': least(
        'float m = x[n][0][j]; int a = 0; for (int i = 1; i < D; i++) if (x[n][i][j] < m) { m = x[n][i][j]; a = i; } ' +
          'y[n][j] = a;',
      ),
      'the best is greater': least(
        'float m = x[n][0][j]; int a = 0; for (int i = 1; i < D; i++) if (m > x[n][i][j]) { m = x[n][i][j]; a = i; } ' +
          'y[n][j] = a;',
      ),
      'the last of the least': least(
        'float m = x[n][0][j]; int a = 0; for (int i = 1; i < D; i++) if (x[n][i][j] <= m) { m = x[n][i][j]; a = i; ' +
          '} y[n][j] = a;',
      ),
      greatest: least(
        'float m = x[n][0][j]; int a = 0; for (int i = 1; i < D; i++) if (x[n][i][j] > m) { m = x[n][i][j]; a = i; } ' +
          'y[n][j] = a;',
      ),
    },
  },
  'a softmax in one pass or two': {
    sketches: ['rows'],
    sizes: [
      [3, 37],
      [2, 300],
    ],
    spellings: {
      'the greatest first': softmax(
        'for (int i = 0; i < F; i++) m = fmaxf(m, x[n][i]); for (int i = 0; i < F; i++) s += expf(x[n][i] - m);',
      ),
      'moved by the next greatest': softmax(
        'for (int i = 0; i < F; i++) { float g = fmaxf(m, x[n][i]); s = s * expf(m - g) + expf(x[n][i] - g); m = g; }',
      ),
      'moved by the last greatest': softmax(
        'for (int i = 0; i < F; i++) { float g = m; m = m > x[n][i] ? m : x[n][i]; s = expf(x[n][i] - m) + expf(g - ' +
          'm) * s; }',
      ),
      'moved where it is greater': softmax(
        'for (int i = 0; i < F; i++) { float v = x[n][i]; if (v > m) { s *= expf(m - v); m = v; } s += expf(v - m); }',
      ),
      'by cases': softmax(
        'for (int i = 0; i < F; i++) if (x[n][i] <= m) s += expf(x[n][i] - m); else { s = 1 + s * expf(m - x[n][i]); ' +
          'm = x[n][i]; }',
      ),
      'pointers that count down': lines(
        'void f(int B, int F, const float *x, float *y) {',
        '  while (B-- > 0) {',
        '    const float *p = x; float m = *p, s = 0; int left = F;',
        '    while (left-- > 0) { if (*p > m) { s *= expf(m - *p); m = *p; } s += expf(*p++ - m); }',
        '    left = F; while (left-- > 0) *y++ = *x++ - m - logf(s);',
        '  }',
        '}',
      ),
    },
  },
  'attention in two passes': {
    sketches: ['contraction', 'rows', 'contraction'],
    sizes: [
      [5, 7],
      [35, 20],
    ],
    spellings: {
      'a row of weights': attention(
        'float p[L]; for (int j = 0; j < L; j++) { float d = 0; for (int t = 0; t < E; t++) d += q[i][t] * k[j][t]; ' +
          'p[j] = d; if (d > m) m = d; } for (int j = 0; j < L; j++) { p[j] = expf(p[j] - m); s += p[j]; } for (int ' +
          't = 0; t < E; t++) { float a = 0; for (int j = 0; j < L; j++) a += p[j] * v[j][t]; o[i][t] = a / s; }',
      ),
    },
  },
  'attention in one pass': {
    sketches: ['contraction', 'rows', 'contraction', 'elementwise'],
    sizes: [
      [5, 7],
      [35, 20],
    ],
    spellings: {
      'moved by the next greatest': attention(
        'for (int t = 0; t < E; t++) o[i][t] = 0; for (int j = 0; j < L; j++) { float d = 0; for (int t = 0; t < E; ' +
          't++) d += q[i][t] * k[j][t]; float g = fmaxf(m, d), c = expf(m - g), p = expf(d - g); s = s * c + p; for ' +
          '(int t = 0; t < E; t++) o[i][t] = o[i][t] * c + p * v[j][t]; m = g; } for (int t = 0; t < E; t++) ' +
          'o[i][t] /= s;',
      ),
    },
  },
  'running sums of columns': {
    sketches: ['elementwise', 'recurrence'],
    sizes: [
      [9, 7],
      [40, 66],
    ],
    spellings: {
      'rows in order': columns(
        'for (int i = 0; i < D; i++) for (int j = 0; j < E; j++) { s[j] += x[i][j]; y[i][j] = s[j]; }',
      ),
      'columns in order': columns(
        'for (int j = 0; j < E; j++) for (int i = 0; i < D; i++) { s[j] += x[i][j]; y[i][j] = s[j]; }',
      ),
    },
  },
  'the place of the greatest in columns, kept in arrays': {
    sketches: ['elementwise', 'elementwise', 'argument'],
    sizes: [
      [2, 70, 5],
      [1, 37, 66],
    ],
    spellings: {
      'rows in order': greatest('for (int i = 1; i < D; i++) for (int j = 0; j < E; j++)'),
      'columns in order': greatest('for (int j = 0; j < E; j++) for (int i = 1; i < D; i++)'),
    },
  },
  // two choices by one condition are no search yet
  'the place of the least value in columns, by choices': {
    sketches: ['per-iteration'],
    top: 'loads of several iterations are asked for at once',
    sizes: [
      [2, 70, 5],
      [1, 37, 66],
    ],
    spellings: {
      choices: least(
        'float m = 1e30f; int a = 0; for (int i = 0; i < D; i++) { float v = x[n][i][j]; a = v < m ? i : a; m = v < ' +
          'm ? v : m; } y[n][j] = a;',
      ),
    },
  },
  'a product with a diagonal matrix': {
    sketches: ['elementwise'],
    sizes: [
      [13, 37],
      [1, 1],
      [8, 4],
    ],
    spellings: {
      rows: diagonal('c[i][j] = d[i] * b[i][j];'),
      'a choice in the sum': diagonal(
        'float s = 0; for (int k = 0; k < n; k++) s += (i == k ? d[i] : 0) * b[k][j]; c[i][j] = s;',
      ),
      'a choice of the other': diagonal(
        'float s = 0; for (int k = 0; k < n; k++) s += b[k][j] * (i != k ? 0 : d[k]); c[i][j] = s;',
      ),
      'a condition': diagonal('c[i][j] = 0; for (int k = 0; k < n; k++) if (k == i) c[i][j] += d[k] * b[k][j];'),
      'a truth value': diagonal(
        'float s = 0; for (int k = 0; k < n; k++) s += (k - i == 0) * d[i] * b[k][j]; c[i][j] = s;',
      ),
    },
  },
  'a product in blocks': {
    sketches: ['contraction'],
    sizes: [
      [35, 9],
      [1, 1],
      [8, 40],
    ],
    spellings: {
      plain: blocked('for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)', 'for (int k = 0; k < m; k++)'),
      'blocks of the sum': blocked(
        'for (int q = 0; q < m; q += 8) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)',
        'for (int k = q; k < (q + 8 < m ? q + 8 : m); k++)',
      ),
      'blocks of all': blocked(
        'for (int u = 0; u < n; u += 16) for (int q = 0; q < m; q += 8) for (int v = 0; v < n; v += 4) ' +
          'for (int i = u; i < n && i < u + 16; i++) for (int j = v; j < n && j < v + 4; j++)',
        'for (int k = q; k < m && k < q + 8; k++)',
      ),
    },
  },
  'running sums through their array': {
    sketches: ['per-point', 'scan'],
    sizes: [
      [5, 37],
      [1, 1],
      [3, 2],
    ],
    spellings: {
      'the first apart': running('y[i][0] = x[i][0]; for (int j = 1; j < m; j++) y[i][j] = y[i][j - 1] + x[i][j];'),
      'a choice': running('for (int j = 0; j < m; j++) y[i][j] = x[i][j] + (j > 0 ? y[i][j - 1] : 0);'),
      backwards: running('for (int j = m - 1; j >= 0; j--) y[i][j] = x[i][j] + (j + 1 < m ? y[i][j + 1] : 0);'),
    },
  },
  'means and squares around them, in one pass': {
    sketches: ['rows', 'per-point'],
    sizes: [
      [5, 37],
      [1, 1],
    ],
    spellings: {
      'by the iteration': moments('float d = x[i][j] - a; a += d / (j + 1); q += d * (x[i][j] - a);'),
      'by a counter': moments('c += 1; float d = x[i][j] - a; a = a + d * (1.0f / c); q += (x[i][j] - a) * d;'),
    },
  },
  'a product of triangles': {
    sketches: ['contraction'],
    sizes: [[9], [35]],
    spellings: {
      'conditions around the sum': triangle(
        'float s = 0; if (j <= i) for (int k = j; k <= i; k++) s += a[i][k] * b[k][j]; c[i][j] = s;',
      ),
      'conditions on terms': triangle(
        'float s = 0; for (int k = 0; k < n; k++) if (k >= j && k <= i) s += a[i][k] * b[k][j]; c[i][j] = s;',
      ),
      bounds: triangle('float s = 0; for (int k = j; k <= i; k++) s += a[i][k] * b[k][j]; c[i][j] = s;'),
    },
  },
}

describe.each(Object.entries(all))('%s', (_, { sketches, top, sizes, spellings }) => {
  test.each(Object.entries(spellings))('%s', async (_spelling, source) => {
    const p = await readC(source),
      a = analyse(p)
    expect(a.parts.map((x) => x.nest.kind === 'serial' && x.nest.parallel === 0)).not.toContain(true)
    expect({ sketches: a.parts.map((x) => x.sketch.name), hosted: a.hosted.length }).toEqual({ sketches, hosted: 0 })
    if (top !== undefined) expect(a.parts[0]!.sketch.ladder.at(-1)?.step).toBe(top)
    for (const rung of [0, 99]) {
      const points = a.parts.map(({ sketch: { ladder } }) => ladder[Math.min(rung, ladder.length - 1)]!.point)
      const v = verified(
        a,
        points,
        sizes.map((s) => sizesOf(p, s)),
      )
      expect({ rung, ok: v.ok, why: v.why }).toEqual({ rung, ok: true, why: undefined })
    }
  })
})
