// level1/50 conv-2d-11x11: x, weight=conv1.weight, bias=conv1.bias -> y
#ifndef N
#define N 256
#endif
#ifndef CI
#define CI 3
#endif
#ifndef CO
#define CO 96
#endif
#ifndef H
#define H 224
#endif
#ifndef W
#define W 224
#endif
#define K 11
#define STRIDE 4
#define PAD 2
#define HO ((H + 2 * PAD - K) / STRIDE + 1)
#define WO ((W + 2 * PAD - K) / STRIDE + 1)

void conv_2d_11x11(const float x[N][CI][H][W], const float weight[CO][CI][K][K], const float bias[CO],
                   float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = bias[o];
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i * STRIDE + u - PAD, q = j * STRIDE + v - PAD;
                if (p >= 0 && p < H && q >= 0 && q < W)
                  sum += x[n][c][p][q] * weight[o][c][u][v];
              }
          y[n][o][i][j] = sum;
        }
}
