// level2/35 conv-subtract-hard-swish-max-pool-mish: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define SUBTRACT 0.5f
#define PH ((H - K + 1) / 2)
#define PW ((W - K + 1) / 2)
static float hard_swish(float v) { return v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; }
static float mish(float v) { return v * tanhf(v > 20.0f ? v : log1pf(expf(v))); }
void conv_subtract_hard_swish_max_pool_mish(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                            float y[N][O][PH][PW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++) {
          float m = -INFINITY;
          for (int a = 0; a < 2; a++)
            for (int e = 0; e < 2; e++) {
              float s = b[o];
              for (int c = 0; c < C; c++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][2 * i + a + u][2 * j + e + v] * w[o][c][u][v];
              m = fmaxf(m, hard_swish(s - SUBTRACT));
            }
          y[n][o][i][j] = mish(m);
        }
}
