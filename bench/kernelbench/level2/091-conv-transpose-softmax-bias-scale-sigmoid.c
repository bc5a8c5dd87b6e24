// level2/91 conv-transpose-softmax-bias-scale-sigmoid: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
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
#define P 1
#define OP 1
#define SCALE 2.0f
#define OH ((H - 1) * S - 2 * P + K + OP)
#define OW ((W - 1) * S - 2 * P + K + OP)
void conv_transpose_softmax_bias_scale_sigmoid(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                               const float bias[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + P - u, q = j + P - v;
                if (p < 0 || p % S != 0 || p / S >= H) continue;
                if (q < 0 || q % S != 0 || q / S >= W) continue;
                s += x[n][c][p / S][q / S] * w[c][o][u][v];
              }
          y[n][o][i][j] = s;
        }
  for (int n = 0; n < N; n++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float top = -INFINITY, sum = 0.0f;
        for (int o = 0; o < O; o++)
          if (y[n][o][i][j] > top) top = y[n][o][i][j];
        for (int o = 0; o < O; o++) sum += expf(y[n][o][i][j] - top);
        for (int o = 0; o < O; o++) {
          float z = (expf(y[n][o][i][j] - top) / sum + bias[o]) * SCALE;
          y[n][o][i][j] = 1.0f / (1.0f + expf(-z));
        }
      }
}
