// level2/46 conv-subtract-tanh-subtract-average-pool: x, w=conv.weight, b=conv.bias -> y
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
#define SUBTRACT1 0.5f
#define SUBTRACT2 0.2f
#define OH (H - K + 1)
#define OW (W - K + 1)
#define PH (OH / 2)
#define PW (OW / 2)
void conv_subtract_tanh_subtract_average_pool(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                              float y[N][O][PH][PW]) {
  float t[N][O][OH][OW];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          t[n][o][i][j] = tanhf(s - SUBTRACT1) - SUBTRACT2;
        }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++)
          y[n][o][i][j] = 0.25f * (t[n][o][2 * i][2 * j] + t[n][o][2 * i][2 * j + 1] + t[n][o][2 * i + 1][2 * j] +
                                   t[n][o][2 * i + 1][2 * j + 1]);
}
