// The running sum, product or greatest along every row of a matrix. EXCLUSIVE: without the element itself.
void scan(int n, int m, const T x[n][m], T y[n][m]) {
  for (int i = 0; i < n; i++) {
    T s = START;
    for (int j = 0; j < m; j++) {
#if EXCLUSIVE
      y[i][j] = s;
#endif
#if OP == 0
      s += x[i][j];
#elif OP == 1
      s *= x[i][j];
#else
      if (x[i][j] > s) s = x[i][j];
#endif
#if !EXCLUSIVE
      y[i][j] = s;
#endif
    }
  }
}
