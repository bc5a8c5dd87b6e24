// level1/70 conv-transposed-3d-large: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 48
#endif
#ifndef CO
#define CO 24
#endif
#ifndef D
#define D 96
#endif
#ifndef H
#define H 96
#endif
#ifndef W
#define W 96
#endif
#define K 3
#define DO (D + K - 1)
#define HO (H + K - 1)
#define WO (W + K - 1)

void conv_transposed_3d_large(const float x[N][CI][D][H][W], const float w[CI][CO][K][K][K],
                              float y[N][CO][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float sum = 0.0f;
            for (int a = 0; a < K; a++) {
              int z = d - a;
              if (z < 0 || z >= D) continue;
              for (int u = 0; u < K; u++) {
                int p = i - u;
                if (p < 0 || p >= H) continue;
                for (int v = 0; v < K; v++) {
                  int q = j - v;
                  if (q < 0 || q >= W) continue;
                  for (int c = 0; c < CI; c++)
                    sum += x[n][c][z][p][q] * w[c][o][a][u][v];
                }
              }
            }
            y[n][o][d][i][j] = sum;
          }
}
