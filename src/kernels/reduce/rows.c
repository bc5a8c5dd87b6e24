// Every row of a matrix combined to one element.
void rows(int n, int m, const T x[n][m], T y[n][1]) {
  for (int i = 0; i < n; i++) {
#if OP == 0
    T s = 0;
#elif OP == 1
    T s = 1;
#else
    T s = x[i][0];
#endif
    for (int j = 0; j < m; j++) {
#if OP == 0
      s += x[i][j];
#elif OP == 1
      s *= x[i][j];
#else
      if (x[i][j] > s) s = x[i][j];
#endif
    }
    y[i][0] = s;
  }
}
