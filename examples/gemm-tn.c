// Matrix product with the first factor transposed: C = Aᵀ B, C is n × m.
#pragma tesela sizes(n = 4096, m = 4096, p = 4096)

void gemm_tn(int n, int m, int p, float A[restrict p][n], float B[restrict p][m], float C[restrict n][m]) {
  int i, j, k;
  for (i = 0; i < n; i++)
    for (j = 0; j < m; j++)
      C[i][j] = 0;
  for (k = 0; k < p; k++)
    for (i = 0; i < n; i++)
      for (j = 0; j < m; j++)
        C[i][j] = C[i][j] + A[k][i] * B[k][j];
}
