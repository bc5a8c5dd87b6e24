// level1/69 conv-transposed-2d-3x5: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 64
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 256
#endif
#define KH 3
#define KW 5
#define HO (H + KH - 1)
#define WO (W + KW - 1)

void conv_transposed_2d_3x5(const float x[N][CI][H][W], const float w[CI][CO][KH][KW], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++) {
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++)
          y[n][o][i][j] = 0.0f;
      for (int c = 0; c < CI; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            for (int u = 0; u < KH; u++)
              for (int v = 0; v < KW; v++)
                y[n][o][i + u][j + v] += x[n][c][i][j] * w[c][o][u][v];
    }
}
