// Separable filter in two passes, rows then columns, with a temporary image between; taps that fall outside count 0.
#define R 8
#define TAPS (2 * R + 1)
#pragma tesela sizes(n = 4096, m = 4096)

void separable(int n, int m, float in[n][m], float w[TAPS], float out[n][m]) {
  float tmp[n][m];
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++) {
      float s = 0;
      for (int t = -R; t <= R; t++)
        if (x + t >= 0 && x + t < m)
          s += w[t + R] * in[y][x + t];
      tmp[y][x] = s;
    }
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++) {
      float s = 0;
      for (int t = -R; t <= R; t++)
        if (y + t >= 0 && y + t < n)
          s += w[t + R] * tmp[y + t][x];
      out[y][x] = s;
    }
}
