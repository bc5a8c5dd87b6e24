// level1/77 conv-transposed-3d-dilated: x, w=conv_transpose3d.weight -> y
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
#define D 16
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 32
#endif
#define K 3
#define S 2
#define P 1
#define DIL 2
#define OUT(n) (((n) - 1) * S - 2 * P + DIL * (K - 1) + 1)

void conv_transposed_3d_dilated(const float x[N][CI][D][H][W], const float w[CI][CO][K][K][K],
                                float y[N][CO][OUT(D)][OUT(H)][OUT(W)]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < OUT(D); d++)
        for (int i = 0; i < OUT(H); i++)
          for (int j = 0; j < OUT(W); j++) {
            float sum = 0.0f;
            for (int a = 0; a < K; a++) {
              int z = d + P - a * DIL;
              if (z < 0 || z % S || z / S >= D) continue;
              for (int u = 0; u < K; u++) {
                int p = i + P - u * DIL;
                if (p < 0 || p % S || p / S >= H) continue;
                for (int v = 0; v < K; v++) {
                  int q = j + P - v * DIL;
                  if (q < 0 || q % S || q / S >= W) continue;
                  for (int c = 0; c < CI; c++)
                    sum += x[n][c][z / S][p / S][q / S] * w[c][o][a][u][v];
                }
              }
            }
            y[n][o][d][i][j] = sum;
          }
}
