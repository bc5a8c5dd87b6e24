// Every row correlated with K taps (the same for all, or with EACH those of its channel, `h` rows each of c channels);
// elements outside count 0. A row starts `left` columns beside it.
void conv(int b, int h, int c, int m, int left, int q, const float x[b][m],
#if EACH
    const float w[c][K],
#else
    const float w[K],
#endif
    float y[b][q]) {
  for (int i = 0; i < b; i++)
    for (int j = 0; j < q; j++) {
      float sum = 0;
      for (int t = 0; t < K; t++)
        if (j + t - left >= 0 && j + t - left < m)
#if EACH
          sum += w[i / h % c][t] * x[i][j + t - left];
#else
          sum += w[t] * x[i][j + t - left];
#endif
      y[i][j] = sum;
    }
}
