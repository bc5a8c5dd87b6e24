// level1/71 conv-transposed-2d-wide: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 32
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 1024
#endif
#define K 3
#define HO (H + K - 1)
#define WO (W + K - 1)

void conv_transposed_2d_wide(const float *x, const float *w, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++) {
              int p = i - u;
              if (p < 0 || p >= H) continue;
              for (int v = 0; v < K; v++) {
                int q = j - v;
                if (q >= 0 && q < W)
                  sum += x[((n * CI + c) * H + p) * W + q] * w[((c * CO + o) * K + u) * K + v];
              }
            }
          y[((n * CO + o) * HO + i) * WO + j] = sum;
        }
}
