// level1/73 conv-transposed-3d-strided: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 4
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 32
#endif
#ifndef D
#define D 32
#endif
#ifndef H
#define H 64
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define S 2
#define P 1
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)

void conv_transposed_3d_strided(const float x[N][CI][D][H][W], const float w[CI][CO][K][K][K],
                                float y[N][CO][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++)
            y[n][o][d][i][j] = 0.0f;

  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int c = 0; c < CI; c++)
        for (int d = 0; d < D; d++)
          for (int i = 0; i < H; i++)
            for (int j = 0; j < W; j++)
              for (int a = 0; a < K; a++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int z = d * S + a - P, p = i * S + u - P, q = j * S + v - P;
                    if (z >= 0 && z < OD && p >= 0 && p < OH && q >= 0 && q < OW)
                      y[n][o][z][p][q] += x[n][c][d][i][j] * w[c][o][a][u][v];
                  }
}
