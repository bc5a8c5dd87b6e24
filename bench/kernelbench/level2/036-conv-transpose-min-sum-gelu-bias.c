// level2/36 conv-transpose-min-sum-gelu-bias: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 16
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
#define S 2
#define P 1
#define OH (2 * H)
#define OW (2 * W)
void conv_transpose_min_sum_gelu_bias(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                      const float bias[1], float y[N][OW]) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < OW; j++) {
      float sum = 0.0f;
      for (int i = 0; i < OH; i++) {
        float least = INFINITY;
        for (int o = 0; o < O; o++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + P - u, q = j + P - v;
                if (p < 0 || q < 0 || p % S || q % S) continue;
                if (p / S >= H || q / S >= W) continue;
                s += x[n][c][p / S][q / S] * w[c][o][u][v];
              }
          least = fminf(least, s);
        }
        sum += least;
      }
      y[n][j] = 0.5f * sum * (1.0f + erff(sum / sqrtf(2.0f))) + bias[0];
    }
}
