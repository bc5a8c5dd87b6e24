// level2/54 conv-multiply-leaky-relu-gelu: x, w=conv.weight, b=conv.bias, multiplier=multiplier -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 64
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
#define OH (H - K + 1)
#define OW (W - K + 1)
#define SLOPE 0.01f
void conv_multiply_leaky_relu_gelu(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                   const float multiplier[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          y[n][o][i][j] = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) y[n][o][i][j] += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] *= multiplier[o];
          if (y[n][o][i][j] < 0.0f) y[n][o][i][j] *= SLOPE;
          y[n][o][i][j] = 0.5f * y[n][o][i][j] * (1.0f + erff(y[n][o][i][j] * 0.70710678f));
        }
}
