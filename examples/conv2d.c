// Two-dimensional convolution with a K × K window; only where the window fits.
#ifndef K
#define K 7
#endif
#pragma tesela sizes(n = 4096, m = 4096)

void conv2d(int n, int m, const float in[n][m], const float w[K][K], float out[n - K + 1][m - K + 1]) {
  for (int y = 0; y < n - K + 1; y++)
    for (int x = 0; x < m - K + 1; x++) {
      float sum = 0;
      for (int dy = 0; dy < K; dy++)
        for (int dx = 0; dx < K; dx++)
          sum += w[dy][dx] * in[y + dy][x + dx];
      out[y][x] = sum;
    }
}
