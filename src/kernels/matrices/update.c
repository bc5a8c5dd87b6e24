// What an update of NMF needs of a factor F [r][p] and the data V: F V (TB: F Vᵀ) and F Fᵀ in slices along p. Both are multiplied by a power of two
// first and the sums by what brings them back (power.c), as in product.c.
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
        for (int k = 0; k < p; k++) acc += (F[i][s][k] * a[0]) * (V[j][s][k] * b[0]);
#else
        for (int k = 0; k < p; k++) acc += (F[i][s][k] * a[0]) * (V[s][k][j] * b[0]);
#endif
        above[s][i][j] = acc * (a[1] * b[1]) * (a[2] * b[2]);
      }
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += (F[i][s][k] * a[0]) * (F[j][s][k] * a[0]);
        square[s][i][j] = acc * (a[1] * a[1]) * (a[2] * a[2]);
      }
}
