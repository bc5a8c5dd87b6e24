// level1/42 max-pool-2d: x -> y
#include <float.h>
#ifndef N
#define N 32
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define K 4
#define PAD 1
#define HO (H + 2 * PAD - K + 1)
#define WO (W + 2 * PAD - K + 1)

void max_pool_2d(const float x[N][C][H][W], float y[N][C][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float m = -FLT_MAX;
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++) {
              int p = i + u - PAD, q = j + v - PAD;
              if (p < 0 || p >= H || q < 0 || q >= W) continue;
              if (x[n][c][p][q] > m) m = x[n][c][p][q];
            }
          y[n][c][i][j] = m;
        }
}
