// level1/86 conv-depthwise-separable: x, dw=depthwise.weight, pw=pointwise.weight -> y
#ifndef N
#define N 16
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
#define W 512
#endif
#define K 3
#define P 1

void conv_depthwise_separable(const float x[N][CI][H][W], const float dw[CI][K][K], const float pw[CO][CI],
                              float y[N][CO][H][W]) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float t[CI];
        for (int c = 0; c < CI; c++) {
          t[c] = 0.0f;
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++) {
              int p = i + u - P, q = j + v - P;
              if (p >= 0 && p < H && q >= 0 && q < W)
                t[c] += x[n][c][p][q] * dw[c][u][v];
            }
        }
        for (int o = 0; o < CO; o++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++) sum += t[c] * pw[o][c];
          y[n][o][i][j] = sum;
        }
      }
}
