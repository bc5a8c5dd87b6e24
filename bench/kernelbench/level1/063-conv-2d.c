// level1/63 conv-2d: x, w=conv2d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 16
#endif
#ifndef CO
#define CO 128
#endif
#ifndef S
#define S 1024
#endif
#define K 3
#define O (S - K + 1)

void conv_2d(const float x[N][CI][S][S], const float w[CO][CI][K][K], float y[N][CO][O][O]) {
  for (int n = 0; n < N; n++)
    for (int f = 0; f < CO; f++)
      for (int i = 0; i < O; i++)
        for (int j = 0; j < O; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++)
                sum += x[n][c][i + u][j + v] * w[f][c][u][v];
          y[n][f][i][j] = sum;
        }
}
