// level1/84 conv-depthwise-2d-wide: x, w=conv2d.weight -> y
#ifndef N
#define N 64
#endif
#ifndef C
#define C 128
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 512
#endif
#define HO (H - 2)
#define WO (W - 2)

/* 3 x 3, written out. */
void conv_depthwise_2d_wide(const float x[N][C][H][W], const float w[C][3][3], float y[N][C][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++)
          y[n][c][i][j] =
            x[n][c][i][j] * w[c][0][0] + x[n][c][i][j + 1] * w[c][0][1] + x[n][c][i][j + 2] * w[c][0][2] +
            x[n][c][i + 1][j] * w[c][1][0] + x[n][c][i + 1][j + 1] * w[c][1][1] + x[n][c][i + 1][j + 2] * w[c][1][2] +
            x[n][c][i + 2][j] * w[c][2][0] + x[n][c][i + 2][j + 1] * w[c][2][1] + x[n][c][i + 2][j + 2] * w[c][2][2];
}
