// level1/83 conv-depthwise-2d-3x1: x, w=conv2d.weight -> y
#ifndef N
#define N 64
#endif
#ifndef C
#define C 8
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define K 3
#define HO (H - K + 1)

void conv_depthwise_2d_3x1(const float x[N][C][H][W], const float w[C][K], float y[N][C][HO][W]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < W; j++) {
          y[n][c][i][j] = 0.0f;
          for (int k = 0; k < K; k++)
            y[n][c][i][j] += x[n][c][i + k][j] * w[c][k];
        }
}
