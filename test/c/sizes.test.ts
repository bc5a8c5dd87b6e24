// What is planned for where neither a pragma nor -D says it: what the file's own calls pass, what its arrays hold, or
// 1024.
import { expect, test } from 'vitest'
import { printExpr, isFixed, type Program } from '../../src/ir/index.ts'
import { readC as read } from './read.ts'

const planned = async (
  source: string,
  defines: Readonly<Record<string, string>> = {},
): Promise<Record<string, number>> =>
  Object.fromEntries((await read(source, { defines })).sizes.filter((s) => !isFixed(s)).map((s) => [s.name, s.planned]))

const gemm = `#define NI 900
#define NK 1300
void gemm(int ni, int nk, float A[NI][NK], float x[NK], float y[NI]) {
  for (int i = 0; i < ni; i++) for (int k = 0; k < nk; k++) y[i] += A[i][k] * x[k];
}`

test('sizes are planned as large as the arrays are, above and below 1024', async () => {
  expect(await planned(gemm)).toEqual({ ni: 900, nk: 1300 })
  expect(await planned(gemm, { ni: '70' })).toEqual({ ni: 70, nk: 1300 })
  expect(
    await planned('void f(int n, float a[100], float b[]) { for (int i = 1; i < n - 1; i++) b[i] = a[i + 2]; }'),
  ).toEqual({ n: 99 })
  expect(await planned('void f(int n, float a[n], float b[n]) { for (int i = 0; i < n; i++) b[i] = a[i]; }')).toEqual({
    n: 1024,
  })
})

test('what the file passes is what is planned for', async () => {
  const called = (
    main: string,
  ): string => `void scale(int n, int m, float a[n][m]) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) \
a[i][j] *= 2; }
static const int columns = 640;
int main(void) { static float a[2000][640]; ${main} return 0; }`
  expect(await planned(called('int n = 1000; scale(2 * n, columns, a);'))).toEqual({ n: 2000, m: 640 })
  expect(await planned(called('scale(100, 300, a); scale(1 << 10, 500, a);'))).toEqual({ n: 1024, m: 500 })
  expect(await planned(called('int n = 1000; n = 3; scale(n, columns, a);'))).toEqual({ n: 1024, m: 640 }) // n changes
  expect(await planned(called('scale(4, 8, a);'))).toEqual({ n: 1024, m: 1024 }) // shows how it is called
  expect(await planned(called('scale(2000, 640, a);'), { n: '50' })).toEqual({ n: 50, m: 640 })
})

test('a call that passes more than the arrays hold is an error at the planned sizes', async () => {
  await expect(
    read(`${gemm}\nint main(void) { static float A[NI][NK], x[NK], y[NI]; gemm(901, 1300, A, x, y); }`),
  ).rejects.toThrow(/past its extent NI at the planned sizes/)
})

const rows =
  'void f(int rows /* of a */, idx columns, float a[rows][columns]) { for (int i = 0; i < rows; i++) for (int ' +
  'j = 0; j < columns; j++) a[i][j] *= SCALE; }'
const typed = `typedef int idx;\n#define SCALE 2\n${rows}`

test('a -D says the size of any parameter, whatever stands around its name', async () => {
  expect(await planned(typed, { rows: '70', columns: '90' })).toEqual({ rows: 70, columns: 90 })
})

test('a -D that nothing in the file is called is refused; switches and names of compilers are not', async () => {
  await expect(read(typed, { defines: { rwos: '70' } })).rejects.toThrow(
    /nothing in the file is called rwos \[c\.define\]\n {2}hint: did you mean rows\?/,
  )
  await expect(read(typed, { defines: { SCALED: '3' } })).rejects.toThrow(
    /called SCALED \[c\.define\]\n {2}hint: did you mean SCALE\?/,
  )
  await expect(read(typed, { defines: { height: '3' } })).rejects.toThrow(/hint: f has rows, columns/)
  expect(await planned(typed, { NDEBUG: '1', _POSIX_C_SOURCE: '200809', SCALE: '3' })).toEqual({
    rows: 1024,
    columns: 1024,
  })
})

test('integers may be divided by 0 where a condition keeps it from happening, and floats anywhere', async () => {
  const of = (e: string): string =>
    `#define W 0\nvoid f(int n, float x[n], int a[n]) { for (int i = 0; i < n; i++) { ${e} } }`
  for (const e of [
    'if (W > 0) a[i] = a[i] / W; else a[i] = 1;',
    'a[i] = W ? a[i] % W : a[i];',
    'x[i] = x[i] / 0;',
    'x[i] = 1.0f / 0;',
  ])
    await read(of(e))
  await expect(read(of('a[i] = a[i] / W;'))).rejects.toThrow(/this division is by zero/)
  await expect(read(of('a[i] %= W;'))).rejects.toThrow(/this remainder is by zero/)
})

test('what nothing says is halved until arrays and loops are possible, and a note says so', async () => {
  const kron = (
    a: string,
  ): string => `void kron(int m, int n, int p, int q, const float a[m][n], const float b[p][q], ${a}) {
  for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) for (int k = 0; k < p; k++) for (int l = 0; l < q; l++) \
out[${a.includes('*out') ? '(i * p + k) * (n * q) + j * q + l' : 'i * p + k][j * q + l'}] = a[i][j] * b[k][l]; }`
  for (const a of ['float out[m * p][n * q]', 'float *out']) {
    expect(await planned(kron(a))).toEqual({ m: 128, n: 128, p: 128, q: 128 })
    expect(await planned(kron(a), { m: '8', n: '500' })).toEqual({ m: 8, n: 500, p: 256, q: 256 }) // never what is said
    await expect(read(kron(a), { defines: { m: '1024', n: '1024', p: '1024', q: '1024' } })).rejects.toThrow(
      /the array out has 1\.1e\+12 elements at .*, and kernels count at most 2147483647 \[c\.size\]/,
    )
  }
  const power =
    'void f(int n, float a[n][n][n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j][i][j] = 0; }'
  expect(await planned(power)).toEqual({ n: 128 }) // 1024⁴ is 0 in 32 bits
  const sum = (loops: string): string => `void f(int n, int m, float s[n]) { ${loops} s[i] += 1; }`
  expect(
    await planned(
      sum(
        'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < m; k++) for (int l = 0; ' +
          'l < m; l++) for (int t = j; t < m; t++)',
      ),
    ),
  ).toEqual({ n: 256, m: 256 })
  expect((await read(power)).notes).toEqual([
    'the source does not say how large n is; a value is assumed, reduced until the arrays fit a GPU and the loops ' +
      'have iterations and finish in reasonable time. Set it with -D n=… or #pragma tesela sizes(n = …)',
  ])
  expect((await read(power, { defines: { n: '64' } })).notes).toBeUndefined()
})

test('an array is as long as a counter that only falls begins', async () => {
  const { arrays } = await read(
    'void f(int n, int a[], const int b[], int c[]) { int j = n - 1; for (int i = 0; i < n / 2; i++) { c[i] = ' +
      'a[i] + a[j]; if (b[i] > 0) j -= 1; } }',
  )
  expect(arrays.map((a) => a.shape.map(printExpr))).toEqual([['n'], ['n / 2'], ['n / 2']])
})

test('how far a window goes to each side is assumed to be small', async () => {
  const blur = (from: string, to: string, at: string): string =>
    `void f(int n, int r, const float *x, float *y) { for (int i = 0; i < n; i++) { float s = 0; \
for (int j = ${from}; j <= ${to}; j++) s += x[${at}]; y[i] = s; } }`
  expect(await planned(blur('-r', 'r', 'i + j < 0 ? 0 : i + j >= n ? n - 1 : i + j'))).toEqual({ n: 1024, r: 4 })
  expect(await planned(blur('i - r < 0 ? 0 : i - r', '(i + r >= n ? n - 1 : i + r)', 'j'))).toEqual({ n: 1024, r: 4 })
  expect(await planned(blur('-r', 'r', '(i + j + n) % n'), { r: '20' })).toEqual({ n: 1024, r: 20 })
  expect(await planned(blur('0', 'r', 'i + j'))).toMatchObject({ n: 1024, r: 1024 }) // perhaps a series
})

test('what is taken from the range of a loop leaves iterations of it', async () => {
  const search =
    'int best = 1 << 30; for (int k = 0; k < d; k++) { int s = abs(l[x] - r[x - k]); if (s < best) best = s; }'
  expect(
    await planned(`void f(int w, int d, const int *l, const int *r, int *y) {
      for (int x = 4 + d; x < w - 4; x++) { ${search} y[x] = best; } }`),
  ).toMatchObject({ w: 1024, d: 256 })
  expect(
    await planned(`void f(int n, int k, const float *x, const float *w, float *y) {
      for (int i = 0; i < n - k; i++) { y[i] = 0; for (int j = 0; j < k; j++) y[i] += w[j] * x[i + j]; } }`),
  ).toMatchObject({ n: 1024, k: 512 })
})

test('what is taken from places leaves them inside of their arrays', async () => {
  const averages = (from: string): string => `void f(int n, int s, int l, const float *p, float *y, float *z) {
    for (int i = ${from}; i < n; i++) { y[i] = z[i] = 0;
      for (int k = 0; k < s; k++) y[i] += p[i - k]; for (int k = 0; k < l; k++) z[i] += p[i - k]; } }`
  expect(await planned(averages('l'))).toMatchObject({ n: 1024, s: 512, l: 512 })
  expect(await planned(averages('2 * l'))).toMatchObject({ n: 1024, s: 512, l: 256 })
})

test('a size that chooses bits is a mask of all lower bits', async () => {
  const probe = (step: string): string => `void f(int q, int m, const int *keys, const int *want, int *at) {
    for (int i = 0; i < q; i++) { int s = want[i] & m; while (keys[s] != 0) s = (s + 1) ${step}; at[i] = s; } }`
  expect(await planned(probe('& m'))).toMatchObject({ m: 1023 })
  expect(await planned(probe('& m'), { m: '77' })).toMatchObject({ m: 77 })
})

test('an array ends where a condition keeps a window inside of it', async () => {
  const shape = async (condition: string): Promise<string> => {
    const { arrays } = await read(`void f(int h, int w, int r, const float *x, float *y) {
  for (int i = 0; i < h; i++) for (int j = 0; j < w; j++) { float s = 0;
    for (int a = -r; a <= r; a++) for (int b = -r; b <= r; b++) if (${condition}) s += x[(i + a) * w + j + b];
    y[i * w + j] = s; } }`)
    return arrays
      .find((a) => a.name === 'x')!
      .shape.map(printExpr)
      .join(', ')
  }
  expect(await shape('i + a >= 0 && i + a < h && j + b >= 0 && j + b < w')).toBe('h, w')
  expect(await shape('!(i + a < 0 || i + a > h - 1 || j + b < 0 || j + b > w - 1)')).toBe('h, w')
  expect(await shape('i + a >= 0 && i + a < h - 1 && j + b >= 0 && j + b < w')).toBe('h - 1, w')
})

const pixels = (at: string, parameters = ''): string =>
  `void f(${parameters}int h, int w, int stride, unsigned char *p) { for (int j = 0; j < h; j++) \
for (int i = 0; i < w; i++) if (p[${at}] != 255) { p[j * stride + 4 * i + 1] /= 2; p[j * stride + 4 * i + 2] = 0; } }`

test('rows do not overlap at the pitch that is planned for', async () => {
  expect(await planned(pixels('j * stride + 4 * i'))).toEqual({ h: 1024, w: 1024, stride: 4096 })
  expect(await planned(pixels('j * stride + 4 * i'), { w: '100' })).toEqual({ h: 1024, w: 100, stride: 1024 })
  expect(await planned(pixels('j * stride + 4 * i + 4'))).toEqual({ h: 1024, w: 1024, stride: 4128 }) // whole lines
  expect(await planned(pixels('j * stride + 4 * i'), { stride: '2000' })).toEqual({ h: 1024, w: 1024, stride: 2000 })
  // rows that are only read may overlap
  expect(
    await planned(
      'void f(int h, int w, int s, const int *x, int *y) { for (int j = 0; j < h; j++) for (int i = 0; i < w; i++) ' +
        'y[j * s + i] = x[j * s + 2 * i + 3]; }',
    ),
  ).toEqual({ h: 1024, w: 1024, s: 1024 })
  // what a loop counts up to is no pitch that it may be longer than
  expect(
    await planned(
      'void f(int n, float *p) { for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) p[j * n + 2 * i] = 1; }',
    ),
  ).toEqual({ n: 1024 })
})

const conditionsOfSizes = ({ sizes }: Program): readonly string[] =>
  sizes.flatMap(({ where = [] }) => where.map((e) => printExpr(e)))

test('of conditions that differ in a number the strongest is asked', async () => {
  expect(conditionsOfSizes(await read(pixels('j * stride + 4 * i + 3')))).toEqual(['stride >= w * 4'])
})

test('a flag that chooses places, and rows that may overlap, are asked one after the other', async () => {
  const program = await read(pixels('j * stride + 4 * i + (first ? 0 : 3)', 'int first, ')),
    other = program.otherwise,
    rest = other?.otherwise
  expect([program, other, rest].map((p) => p && conditionsOfSizes(p))).toEqual([
    ['first != 0', 'stride + 1 >= w * 4'],
    ['first == 0', 'stride >= w * 4'],
    [],
  ])
  expect([program, other, rest].map((p) => p?.arrays.map((a) => a.shape.length))).toEqual([[2], [2], [1]])
})
