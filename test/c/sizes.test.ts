// What is planned for where neither a pragma nor -D says it: what the file's own calls pass, what its arrays hold, or 1024.
import { expect, test } from 'vitest'
import { readC as read } from './read.ts'

const planned = async (source: string, defines: Readonly<Record<string, string>> = {}): Promise<Record<string, number>> =>
  Object.fromEntries((await read(source, { defines })).sizes.filter((s) => !s.fixed).map((s) => [s.name, s.planned]))

const gemm = `#define NI 900
#define NK 1300
void gemm(int ni, int nk, float A[NI][NK], float x[NK], float y[NI]) {
  for (int i = 0; i < ni; i++) for (int k = 0; k < nk; k++) y[i] += A[i][k] * x[k];
}`

test('sizes are planned as large as the arrays are, above and below 1024', async () => {
  expect(await planned(gemm)).toEqual({ ni: 900, nk: 1300 })
  expect(await planned(gemm, { ni: '70' })).toEqual({ ni: 70, nk: 1300 })
  expect(await planned('void f(int n, float a[100], float b[]) { for (int i = 1; i < n - 1; i++) b[i] = a[i + 2]; }')).toEqual({ n: 99 })
  expect(await planned('void f(int n, float a[n], float b[n]) { for (int i = 0; i < n; i++) b[i] = a[i]; }')).toEqual({ n: 1024 })
})

test('what the file passes is what is planned for', async () => {
  const called = (main: string): string => `void scale(int n, int m, float a[n][m]) { for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] *= 2; }
static const int columns = 640;
int main(void) { static float a[2000][640]; ${main} return 0; }`
  expect(await planned(called('int n = 1000; scale(2 * n, columns, a);'))).toEqual({ n: 2000, m: 640 })
  expect(await planned(called('scale(100, 300, a); scale(1 << 10, 500, a);'))).toEqual({ n: 1024, m: 500 })
  expect(await planned(called('int n = 1000; n = 3; scale(n, columns, a);'))).toEqual({ n: 1024, m: 640 }) // n changes
  expect(await planned(called('scale(4, 8, a);'))).toEqual({ n: 1024, m: 1024 }) // shows how it is called
  expect(await planned(called('scale(2000, 640, a);'), { n: '50' })).toEqual({ n: 50, m: 640 })
})

test('a call that passes more than the arrays hold is an error at the planned sizes', async () => {
  await expect(read(`${gemm}\nint main(void) { static float A[NI][NK], x[NK], y[NI]; gemm(901, 1300, A, x, y); }`)).rejects.toThrow(/past its extent NI at the planned sizes/)
})
