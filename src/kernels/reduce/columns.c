// Every column of each of several matrices combined to one element.
void columns(int b, int n, int m, const T x[b][n][m], T y[b][m]) {
  for (int k = 0; k < b; k++)
    for (int j = 0; j < m; j++) {
#if OP == 0
      T s = 0;
#elif OP == 1
      T s = 1;
#else
      T s = x[k][0][j];
#endif
      for (int i = 0; i < n; i++) {
#if OP == 0
        s += x[k][i][j];
#elif OP == 1
        s *= x[k][i][j];
#else
        if (x[k][i][j] > s) s = x[k][i][j];
#endif
      }
      y[k][j] = s;
    }
}
