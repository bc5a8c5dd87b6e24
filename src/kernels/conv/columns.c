// Every column of several planes correlated with K taps; elements outside count 0.
void conv(int b, int n, int m, int top, int p, const float x[b][n][m], const float w[K], float y[b][p][m]) {
  for (int s = 0; s < b; s++)
    for (int i = 0; i < p; i++)
      for (int j = 0; j < m; j++) {
        float sum = 0;
        for (int r = 0; r < K; r++)
          if (i + r - top >= 0 && i + r - top < n)
            sum += w[r] * x[s][i + r - top][j];
        y[s][i][j] = sum;
      }
}
