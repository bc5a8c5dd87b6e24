// level2/71 conv-divide-leaky-relu: x, w=conv.weight, b=conv.bias -> y
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 64
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define DIVISOR 2
#define SLOPE 0.01f
void conv_divide_leaky_relu(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                            float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++)
              for (int c = 0; c < C; c++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          s = s / DIVISOR;
          y[n][o][i][j] = s > 0 ? s : s * SLOPE;
        }
}
