// A product cut into slices along k: C[s] = A[:, s, :] B[s, :, :], all of them summed up later. One slice: a plain product.
// TA and TB: the factor is stored transposed.
void matmul(int splits, int n, int m, int p,
#if TA
    const float A[splits][p][n],
#else
    const float A[n][splits][p],
#endif
#if TB
    const float B[m][splits][p],
#else
    const float B[splits][p][m],
#endif
    float C[splits][n][m]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) {
#if TA && TB
          acc += A[s][k][i] * B[j][s][k];
#elif TA
          acc += A[s][k][i] * B[s][k][j];
#elif TB
          acc += A[i][s][k] * B[j][s][k];
#else
          acc += A[i][s][k] * B[s][k][j];
#endif
        }
        C[s][i][j] = acc;
      }
}
