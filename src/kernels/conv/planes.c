// Every plane of an image correlated with a K × K window (one for all, or with EACH one for each of c channels); elements
// outside count 0. Rows start `top` rows above the plane, columns `left` columns beside it.
void conv(int b, int c, int n, int m, int top, int left, int p, int q, const float x[b][n][m],
#if EACH
    const float w[c][K][K],
#else
    const float w[K][K],
#endif
    float y[b][p][q]) {
  for (int s = 0; s < b; s++)
    for (int i = 0; i < p; i++)
      for (int j = 0; j < q; j++) {
        float sum = 0;
        for (int r = 0; r < K; r++)
          for (int t = 0; t < K; t++)
            if (i + r - top >= 0 && i + r - top < n && j + t - left >= 0 && j + t - left < m)
#if EACH
              sum += w[s % c][r][t] * x[s][i + r - top][j + t - left];
#else
              sum += w[r][t] * x[s][i + r - top][j + t - left];
#endif
        y[s][i][j] = sum;
      }
}
