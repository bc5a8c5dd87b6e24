// level1/68 conv-transposed-3d-3x5x5: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 64
#endif
#ifndef D
#define D 64
#endif
#ifndef W
#define W 64
#endif
#ifndef H
#define H 64
#endif
#define KD 3
#define KW 5
#define KH 5

void conv_transposed_3d_3x5x5(const float x[N][CI][D][W][H], const float w[CI][CO][KD][KW][KH],
                              float y[N][CO][D + KD - 1][W + KW - 1][H + KH - 1]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < D + KD - 1; d++)
        for (int i = 0; i < W + KW - 1; i++)
          for (int j = 0; j < H + KH - 1; j++) {
            float sum = 0.0f;
            for (int c = 0; c < CI; c++)
              for (int a = 0; a < KD; a++)
                for (int u = 0; u < KW; u++)
                  for (int v = 0; v < KH; v++) {
                    int z = d - a, p = i - u, q = j - v;
                    if (z < 0 || z >= D || p < 0 || p >= W || q < 0 || q >= H) continue;
                    sum += x[n][c][z][p][q] * w[c][o][a][u][v];
                  }
            y[n][o][d][i][j] = sum;
          }
}
