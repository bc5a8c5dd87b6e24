// level1/56 conv-2d-5x7: x, w=conv2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 128
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 256
#endif
#define KH 5
#define KW 7
#define HO (H - KH + 1)
#define WO (W - KW + 1)

void conv_2d_5x7(const float *x, const float *w, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < KH; u++)
              for (int v = 0; v < KW; v++)
                sum += x[((n * CI + c) * H + i + u) * W + j + v] * w[((o * CI + c) * KH + u) * KW + v];
          y[((n * CO + o) * HO + i) * WO + j] = sum;
        }
}
