// The same along every column of each of several matrices.
void scan(int b, int n, int m, const T x[b][n][m], T y[b][n][m]) {
  for (int k = 0; k < b; k++)
    for (int j = 0; j < m; j++) {
      T s = START;
      for (int i = 0; i < n; i++) {
#if EXCLUSIVE
        y[k][i][j] = s;
#endif
#if OP == 0
        s += x[k][i][j];
#elif OP == 1
        s *= x[k][i][j];
#else
        if (x[k][i][j] > s) s = x[k][i][j];
#endif
#if !EXCLUSIVE
        y[k][i][j] = s;
#endif
      }
    }
}
