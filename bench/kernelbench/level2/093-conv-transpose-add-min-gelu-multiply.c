// level2/93 conv-transpose-add-min-gelu-multiply: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
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
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define K 4
#define S 2
#define ADD 0.5f
#define MULTIPLY 2.0f
#define OH ((H - 1) * S + K)
#define OW ((W - 1) * S + K)
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
void conv_transpose_add_min_gelu_multiply(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                          float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) y[n][o][i][j] = b[o];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int c = 0; c < C; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) y[n][o][i * S + u][j * S + v] += x[n][c][i][j] * w[c][o][u][v];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) y[n][o][i][j] = gelu(fminf(y[n][o][i][j] + ADD, 0.0f)) * MULTIPLY;
}
