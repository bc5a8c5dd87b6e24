// level1/43 max-pool-3d: x -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 32
#endif
#ifndef D
#define D 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define STRIDE 2
#define PAD 1
#define DIL 3
#define OUT(n) (((n) + 2 * PAD - DIL * (K - 1) - 1) / STRIDE + 1)

void max_pool_3d(const float x[N][C][D][H][W], float y[N][C][OUT(D)][OUT(H)][OUT(W)]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int d = 0; d < OUT(D); d++)
        for (int i = 0; i < OUT(H); i++)
          for (int j = 0; j < OUT(W); j++) {
            float m = -INFINITY;
            for (int a = 0; a < K; a++) {
              int z = d * STRIDE - PAD + a * DIL;
              if (z < 0 || z >= D) continue;
              for (int u = 0; u < K; u++) {
                int p = i * STRIDE - PAD + u * DIL;
                if (p < 0 || p >= H) continue;
                for (int v = 0; v < K; v++) {
                  int q = j * STRIDE - PAD + v * DIL;
                  if (q < 0 || q >= W) continue;
                  m = fmaxf(m, x[n][c][z][p][q]);
                }
              }
            }
            y[n][c][d][i][j] = m;
          }
}
