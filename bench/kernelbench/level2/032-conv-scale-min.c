// level2/32 conv-scale-min: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define SCALE 2.0f
void conv_scale_min(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], float y[N][1][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) y[n][0][i][j] = INFINITY;
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][0][i][j] = fminf(y[n][0][i][j], s * SCALE);
        }
}
