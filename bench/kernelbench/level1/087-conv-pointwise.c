// level1/87 conv-pointwise: x, w=conv1d.weight -> y
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
#define H 1024
#endif
#ifndef W
#define W 1024
#endif

void conv_pointwise(const float x[N][CI][H][W], const float w[CO][CI], float y[N][CO][H][W]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            sum += x[n][c][i][j] * w[o][c];
          y[n][o][i][j] = sum;
        }
}
