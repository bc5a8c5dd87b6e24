// level2/82 conv-tanh-scale-bias-max-pool: x, w=conv.weight, b=conv.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 64
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#define K 3
#define POOL 4
#define SCALE 2.0f
#define OH (H - K + 1)
#define OW (W - K + 1)
#define PH (OH / POOL)
#define PW (OW / POOL)
void conv_tanh_scale_bias_max_pool(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                   const float bias[O], float y[N][O][PH][PW]) {
  float t[N][O][OH][OW];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          t[n][o][i][j] = tanhf(s) * SCALE + bias[o];
        }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++) {
          float m = -INFINITY;
          for (int u = 0; u < POOL; u++)
            for (int v = 0; v < POOL; v++) m = fmaxf(m, t[n][o][i * POOL + u][j * POOL + v]);
          y[n][o][i][j] = m;
        }
}
