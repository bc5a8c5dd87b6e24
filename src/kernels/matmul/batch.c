// Many independent products: C[s] = A[s] B[s].
// TA and TB: the factor is stored transposed.
void matmul(int batch, int n, int m, int p,
#if TA
    const float A[batch][p][n],
#else
    const float A[batch][n][p],
#endif
#if TB
    const float B[batch][m][p],
#else
    const float B[batch][p][m],
#endif
    float C[batch][n][m]) {
  for (int s = 0; s < batch; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) {
#if TA && TB
          acc += A[s][k][i] * B[s][j][k];
#elif TA
          acc += A[s][k][i] * B[s][k][j];
#elif TB
          acc += A[s][i][k] * B[s][j][k];
#else
          acc += A[s][i][k] * B[s][k][j];
#endif
        }
        C[s][i][j] = acc;
      }
}
