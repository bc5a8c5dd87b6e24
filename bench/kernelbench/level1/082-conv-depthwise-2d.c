// level1/82 conv-depthwise-2d: x, w=conv2d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define K 3
#define HO (H - K + 1)
#define WO (W - K + 1)

void conv_depthwise_2d(const float x[N][C][H][W], const float w[C][1][K][K], float y[N][C][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++)
              sum += x[n][c][i + u][j + v] * w[c][0][u][v];
          y[n][c][i][j] = sum;
        }
}
