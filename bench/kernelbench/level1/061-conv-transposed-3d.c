// level1/61 conv-transposed-3d: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 48
#endif
#ifndef CO
#define CO 48
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
#define DO (D + K - 1)
#define HO (H + K - 1)
#define WO (W + K - 1)

static int inside(int p, int n) { return p >= 0 && p < n; }

void conv_transposed_3d(const float x[N][CI][D][H][W], const float w[CI][CO][K][K][K], float y[N][CO][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float sum = 0.0f;
            for (int c = 0; c < CI; c++)
              for (int a = 0; a < K; a++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++)
                    if (inside(d - a, D) && inside(i - u, H) && inside(j - v, W))
                      sum += x[n][c][d - a][i - u][j - v] * w[c][o][a][u][v];
            y[n][o][d][i][j] = sum;
          }
}
