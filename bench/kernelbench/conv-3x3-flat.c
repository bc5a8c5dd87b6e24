#define N 16
#define C 64
#define O 128
#define H 56
#define W 56
#define P 1
void flat(const float *x, const float *w, const float *b, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) {
                int p = i + u - P, q = j + v - P;
                if (p >= 0 && p < H && q >= 0 && q < W)
                  s += x[((n * C + c) * H + p) * W + q] * w[((o * C + c) * 3 + u) * 3 + v];
              }
          y[((n * O + o) * H + i) * W + j] = s + b[o];
        }
}
