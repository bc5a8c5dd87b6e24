// Product of a lower triangular matrix with a full one: C = L B.
#pragma tesela sizes(n = 4096, m = 4096)

void trmm(int n, int m, float L[n][n], float B[n][m], float C[n][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      C[i][j] = 0;
      for (int k = 0; k <= i; k++)
        C[i][j] += L[i][k] * B[k][j];
    }
}
