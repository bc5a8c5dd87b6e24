// A product cut into slices along k: C[s] = A[:, s, :] B[s, :, :]. Both factors are multiplied by a power of two first, so that pieces of them fit
// into f16, and the sum by what brings it back (power.c), in two steps: the product of both may leave the range of a float.
// TA and TB: the factor is stored transposed. SCALED 0: both factors are multiplied already (scaled.c).
#if SCALED
#define BY(x, power) ((x) * power[0])
#else
#define BY(x, power) (x)
#endif
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
          acc += BY(A[s][k][i], a) * BY(B[j][s][k], b);
#elif TA
          acc += BY(A[s][k][i], a) * BY(B[s][k][j], b);
#elif TB
          acc += BY(A[i][s][k], a) * BY(B[j][s][k], b);
#else
          acc += BY(A[i][s][k], a) * BY(B[s][k][j], b);
#endif
        }
        C[s][i][j] = acc * (a[1] * b[1]) * (a[2] * b[2]);
      }
}
