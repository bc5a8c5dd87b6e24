// level1/41 max-pool-1d: x -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 192
#endif
#ifndef L
#define L 65536
#endif
#define K 8
#define STRIDE 1
#define PAD 4
#define DILATION 3
#define LO ((L + 2 * PAD - DILATION * (K - 1) - 1) / STRIDE + 1)

void max_pool_1d(const float x[N][C][L], float y[N][C][LO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < LO; i++) {
        float best = -INFINITY;
        for (int k = 0; k < K; k++) {
          int p = i * STRIDE - PAD + k * DILATION;
          if (p >= 0 && p < L) best = fmaxf(best, x[n][c][p]);
        }
        y[n][c][i] = best;
      }
}
