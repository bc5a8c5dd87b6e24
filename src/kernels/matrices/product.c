// A product cut into slices along k: C[s] = A[:, s, :] B[s, :, :]. Both factors are multiplied by a power of two first, so that pieces of them fit
// into f16, and the sum by what brings it back (power.c), in two steps: the product of both may leave the range of a float.
// TA and TB: the factor is stored transposed.
void matrices(int splits, int n, int m, int p,
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
    const float a[3], const float b[3], float C[splits][n][m]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) {
#if TA && TB
          acc += (A[s][k][i] * a[0]) * (B[j][s][k] * b[0]);
#elif TA
          acc += (A[s][k][i] * a[0]) * (B[s][k][j] * b[0]);
#elif TB
          acc += (A[i][s][k] * a[0]) * (B[j][s][k] * b[0]);
#else
          acc += (A[i][s][k] * a[0]) * (B[s][k][j] * b[0]);
#endif
        }
        C[s][i][j] = acc * (a[1] * b[1]) * (a[2] * b[2]);
      }
}
