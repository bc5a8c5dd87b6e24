// level2/1 conv-relu-bias: x, w=conv.weight, b=conv.bias, bias=bias -> y
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
#define OH (H - K + 1)
#define OW (W - K + 1)
void conv_relu_bias(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], const float bias[O],
                    float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = fmaxf(s, 0.0f) + bias[o];
        }
}
