// level1/81 conv-transposed-2d-strided: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 64
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define S 5
#define P 1
#define DIL 2
#define HO ((H - 1) * S - 2 * P + DIL * (K - 1) + 1)
#define WO ((W - 1) * S - 2 * P + DIL * (K - 1) + 1)

void conv_transposed_2d_strided(const float x[N][CI][H][W], const float w[CI][CO][K][K], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++)
          y[n][o][i][j] = 0.0f;

  for (int n = 0; n < N; n++)
    for (int c = 0; c < CI; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          for (int o = 0; o < CO; o++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i * S - P + u * DIL, q = j * S - P + v * DIL;
                if (p >= 0 && p < HO && q >= 0 && q < WO)
                  y[n][o][p][q] += x[n][c][i][j] * w[c][o][u][v];
              }
}
