// Where in every row of a matrix the least (or greatest) element is; the first place of several.
void find(int n, int m, const T x[n][m], int y[n]) {
  for (int i = 0; i < n; i++) {
    T best = START;
    int at = 0;
    for (int j = 0; j < m; j++)
#if LEAST
      if (x[i][j] < best) {
#else
      if (x[i][j] > best) {
#endif
        best = x[i][j];
        at = j;
      }
    y[i] = at;
  }
}
