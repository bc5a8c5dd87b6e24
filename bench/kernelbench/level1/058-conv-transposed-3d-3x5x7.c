// level1/58 conv-transposed-3d-3x5x7: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 16
#endif
#ifndef D
#define D 16
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 64
#endif
#define KD 3
#define KH 5
#define KW 7

/* Every input element adds its window to the output. */
void conv_transposed_3d_3x5x7(const float x[N][CI][D][H][W], const float w[CI][CO][KD][KH][KW],
                              float y[N][CO][D + KD - 1][H + KH - 1][W + KW - 1]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < D + KD - 1; d++)
        for (int i = 0; i < H + KH - 1; i++)
          for (int j = 0; j < W + KW - 1; j++)
            y[n][o][d][i][j] = 0.0f;

  for (int n = 0; n < N; n++)
    for (int c = 0; c < CI; c++)
      for (int o = 0; o < CO; o++)
        for (int d = 0; d < D; d++)
          for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
              for (int a = 0; a < KD; a++)
                for (int u = 0; u < KH; u++)
                  for (int v = 0; v < KW; v++)
                    y[n][o][d + a][i + u][j + v] += x[n][c][d][i][j] * w[c][o][a][u][v];
}
