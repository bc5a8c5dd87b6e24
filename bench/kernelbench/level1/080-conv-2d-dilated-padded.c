// level1/80 conv-2d-dilated-padded: x, w=conv2d.weight -> y
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
#define PH 2
#define PW 4
#define DH 2
#define DW 3
#define HO (H + 2 * PH - DH * (KH - 1))
#define WO (W + 2 * PW - DW * (KW - 1))

static float at(const float x[N][CI][H][W], int n, int c, int p, int q) {
  if (p < 0 || p >= H || q < 0 || q >= W) return 0.0f;
  return x[n][c][p][q];
}

void conv_2d_dilated_padded(const float x[N][CI][H][W], const float w[CO][CI][KH][KW], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < KH; u++)
              for (int v = 0; v < KW; v++)
                sum += at(x, n, c, i + u * DH - PH, j + v * DW - PW) * w[o][c][u][v];
          y[n][o][i][j] = sum;
        }
}
