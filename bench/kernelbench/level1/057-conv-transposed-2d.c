// level1/57 conv-transposed-2d: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 1024
#endif
#ifndef W
#define W 1024
#endif
#define K 3
#define HO (H + K - 1)
#define WO (W + K - 1)

void conv_transposed_2d(const float x[N][CI][H][W], const float w[CI][CO][K][K], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i - u, q = j - v;
                if (p >= 0 && p < H && q >= 0 && q < W)
                  sum += x[n][c][p][q] * w[c][o][u][v];
              }
          y[n][o][i][j] = sum;
        }
}
