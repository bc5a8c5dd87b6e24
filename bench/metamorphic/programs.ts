// Programs whose spelling `rewrites.ts` changes: plain loop nests over arrays with declared rows, all of whose loops
// may run in any order up to rounding, so that every rewrite means the same. Loops are `for (int i = 0; i < n; i++)`.

export interface Metamorph {
  readonly name: string
  readonly sizes: string
  readonly c: string
}

export const programs: readonly Metamorph[] = [
  {
    name: 'axpy',
    sizes: 'n = 4194304',
    c: `void f(int n, float a, float x[n], float y[n]) {
  for (int i = 0; i < n; i++) { y[i] += a * x[i]; }
}`,
  },
  {
    name: 'add-rows',
    sizes: 'n = 2048, m = 2048',
    c: `void f(int n, int m, float x[n][m], float b[m], float y[n][m]) {
  for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { y[i][j] = x[i][j] + b[j]; } }
}`,
  },
  {
    name: 'transpose',
    sizes: 'n = 2048, m = 2048',
    c: `void f(int n, int m, float x[n][m], float y[m][n]) {
  for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { y[j][i] = x[i][j]; } }
}`,
  },
  {
    name: 'row-sums',
    sizes: 'n = 4096, m = 1024',
    c: `void f(int n, int m, float x[n][m], float y[n]) {
  for (int i = 0; i < n; i++) { float s = 0.0f; for (int j = 0; j < m; j++) { s += x[i][j]; } y[i] = s; }
}`,
  },
  {
    name: 'column-sums',
    sizes: 'n = 4096, m = 1024',
    c: `void f(int n, int m, float x[n][m], float y[m]) {
  for (int j = 0; j < m; j++) { float s = 0.0f; for (int i = 0; i < n; i++) { s += x[i][j]; } y[j] = s; }
}`,
  },
  {
    name: 'matrix-vector',
    sizes: 'n = 4096, m = 4096',
    c: `void f(int n, int m, float a[n][m], float x[m], float y[n]) {
  for (int i = 0; i < n; i++) { float s = 0.0f; for (int j = 0; j < m; j++) { s += a[i][j] * x[j]; } y[i] = s; }
}`,
  },
  {
    name: 'product',
    sizes: 'n = 1024, m = 1024, l = 1024',
    c: `void f(int n, int m, int l, float a[n][l], float b[l][m], float c[n][m]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      float s = 0.0f;
      for (int k = 0; k < l; k++) { s += a[i][k] * b[k][j]; }
      c[i][j] = s;
    }
  }
}`,
  },
  {
    name: 'stencil',
    sizes: 'n = 2048, m = 2048',
    c: `void f(int n, int m, float x[n + 2][m + 2], float y[n][m]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      y[i][j] = 0.5f * x[i + 1][j + 1] + 0.125f * (x[i][j + 1] + x[i + 2][j + 1] + x[i + 1][j] + x[i + 1][j + 2]);
    }
  }
}`,
  },
  {
    name: 'normalise-rows',
    sizes: 'n = 4096, m = 1024',
    c: `void f(int n, int m, float x[n][m], float y[n][m]) {
  for (int i = 0; i < n; i++) {
    float s = 0.0f;
    for (int j = 0; j < m; j++) { s += x[i][j] * x[i][j]; }
    for (int j = 0; j < m; j++) { y[i][j] = x[i][j] / sqrtf(s); }
  }
}`,
  },
  {
    name: 'filter',
    sizes: 'n = 4194304',
    c: `void f(int n, float x[n + 8], float w[9], float y[n]) {
  for (int i = 0; i < n; i++) { float s = 0.0f; for (int k = 0; k < 9; k++) { s += w[k] * x[i + k]; } y[i] = s; }
}`,
  },
]
