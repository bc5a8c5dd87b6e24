// Matrix product: C = A B, all n × n, row by row.
#pragma tesela sizes(n = 4096)

void gemm(int n, float A[n][n], float B[n][n], float C[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      C[i][j] = 0.0f;
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
  }
}
