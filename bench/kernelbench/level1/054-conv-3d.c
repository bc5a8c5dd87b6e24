// level1/54 conv-3d: x, w=conv3d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 3
#endif
#ifndef CO
#define CO 64
#endif
#ifndef D
#define D 64
#endif
#ifndef H
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define K 3

void conv_3d(const float x[N][CI][D][H][W], const float w[CO][CI][K][K][K],
             float y[N][CO][D - K + 1][H - K + 1][W - K + 1]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d <= D - K; d++)
        for (int i = 0; i <= H - K; i++)
          for (int j = 0; j <= W - K; j++) {
            float sum = 0.0f;
            for (int c = 0; c < CI; c++)
              for (int a = 0; a < K; a++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++)
                    sum += x[n][c][d + a][i + u][j + v] * w[o][c][a][u][v];
            y[n][o][d][i][j] = sum;
          }
}
