// level1/55 conv-2d-wide: x, w=conv2d.weight -> y
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
#define W 1024
#endif
#define K 3
#define HO (H - K + 1)
#define WO (W - K + 1)

void conv_2d_wide(const float x[N][CI][H][W], const float w[CO][CI][K][K], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++)
                sum += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = sum;
        }
}
