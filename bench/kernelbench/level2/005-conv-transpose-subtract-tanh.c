// level2/5 conv-transpose-subtract-tanh: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 32
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
#define K 4
#define S 2
#define P 1
#define OH ((H - 1) * S - 2 * P + K + 1)
#define OW ((W - 1) * S - 2 * P + K + 1)
void conv_transpose_subtract_tanh(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                  const float bias[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) y[n][o][i][j] = b[o];
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          for (int o = 0; o < O; o++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i * S + u - P, q = j * S + v - P;
                if (p >= 0 && p < OH && q >= 0 && q < OW) y[n][o][p][q] += x[n][c][i][j] * w[c][o][u][v];
              }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) y[n][o][i][j] = tanhf(y[n][o][i][j] - bias[o]);
}
