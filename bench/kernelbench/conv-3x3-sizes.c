#pragma tesela sizes(n = 16, c = 64, h = 56, w = 56, o = 128)
void sized(int n, int c, int h, int w, int o, const float *x, const float *k, float *y) {
  for (int b = 0; b < n; b++)
    for (int f = 0; f < o; f++)
      for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
          float s = 0.0f;
          for (int d = 0; d < c; d++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) {
                int p = i + u - 1, q = j + v - 1;
                if (p >= 0 && p < h && q >= 0 && q < w)
                  s += x[((b * c + d) * h + p) * w + q] * k[((f * c + d) * 3 + u) * 3 + v];
              }
          y[((b * o + f) * h + i) * w + j] = s;
        }
}
