// level1/62 conv-2d-5x9: x, w=conv2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define KH 5
#define KW 9
#define HO (H - KH + 1)
#define WO (W - KW + 1)

void conv_2d_5x9(const float x[N][CI][H][W], const float w[CO][CI][KH][KW], float y[N][CO][HO][WO]) {
  int n, o, i, j, c, u, v;
  for (n = 0; n < N; n++)
    for (o = 0; o < CO; o++)
      for (i = 0; i < HO; i++)
        for (j = 0; j < WO; j++) {
          float acc = 0.0f;
          for (c = 0; c < CI; c++)
            for (u = 0; u < KH; u++)
              for (v = 0; v < KW; v++)
                acc += w[o][c][u][v] * x[n][c][i + u][j + v];
          y[n][o][i][j] = acc;
        }
}
