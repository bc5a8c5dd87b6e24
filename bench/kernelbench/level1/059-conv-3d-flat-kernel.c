// level1/59 conv-3d-flat-kernel: x, w=conv3d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 3
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#ifndef D
#define D 10
#endif
#define K 3

/* The kernel is K x K x 1: planes along the last dimension do not mix. */
void conv_3d_flat_kernel(const float x[N][CI][H][W][D], const float w[CO][CI][K][K][1],
                         float y[N][CO][H - K + 1][W - K + 1][D]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < H - K + 1; i++)
        for (int j = 0; j < W - K + 1; j++)
          for (int d = 0; d < D; d++) {
            float sum = 0.0f;
            for (int c = 0; c < CI; c++)
              for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++)
                  sum += x[n][c][i + u][j + v][d] * w[o][c][u][v][0];
            y[n][o][i][j][d] = sum;
          }
}
