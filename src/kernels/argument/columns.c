// The same in every column of each of several matrices.
void find(int b, int n, int m, const T x[b][n][m], int y[b][m]) {
  for (int k = 0; k < b; k++)
    for (int j = 0; j < m; j++) {
      T best = START;
      int at = 0;
      for (int i = 0; i < n; i++)
#if LEAST
        if (x[k][i][j] < best) {
#else
        if (x[k][i][j] > best) {
#endif
          best = x[k][i][j];
          at = i;
        }
      y[k][j] = at;
    }
}
