// Sum of every row of a matrix.
#pragma tesela sizes(n = 16384, m = 16384)

void rowsum(int n, int m, const float A[n][m], float y[n]) {
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++)
      y[i] += A[i][j];
  }
}
