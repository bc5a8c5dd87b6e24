// What an update of NMF needs of a factor F [r][p] and the data V, both scaled (scaled.c): F V (TB: F Vᵀ) and F Fᵀ in slices along p, brought back by
// the powers of two of both (power.c).
void update(int splits, int r, int n, int p, const float F[r][splits][p],
#if TB
    const float V[n][splits][p],
#else
    const float V[splits][p][n],
#endif
    const float a[3], const float b[3], float above[splits][r][n], float square[splits][r][r]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < n; j++) {
        float acc = 0.0f;
#if TB
        for (int k = 0; k < p; k++) acc += F[i][s][k] * V[j][s][k];
#else
        for (int k = 0; k < p; k++) acc += F[i][s][k] * V[s][k][j];
#endif
        above[s][i][j] = acc * (a[1] * b[1]) * (a[2] * b[2]);
      }
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += F[i][s][k] * F[j][s][k];
        square[s][i][j] = acc * (a[1] * a[1]) * (a[2] * a[2]);
      }
}
