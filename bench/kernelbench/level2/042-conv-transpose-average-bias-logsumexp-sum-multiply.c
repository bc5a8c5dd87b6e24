// level2/42 conv-transpose-average-bias-logsumexp-sum-multiply: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
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
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define K 3
#define OH (H + K - 1)
#define OW (W + K - 1)
void conv_transpose_average_bias_logsumexp_sum_multiply(const float x[N][C][H][W], const float w[C][O][K][K],
                                                        const float b[O], const float bias[O], float y[N]) {
  for (int n = 0; n < N; n++) {
    float t[O];
    for (int o = 0; o < O; o++) {
      float mean = 0.0f;
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i - u, q = j - v;
                if (p >= 0 && p < H && q >= 0 && q < W) s += x[n][c][p][q] * w[c][o][u][v];
              }
          mean += s;
        }
      t[o] = mean / (OH * OW) + bias[o];
    }
    float top = -INFINITY, sum = 0.0f;
    for (int o = 0; o < O; o++) top = fmaxf(top, t[o]);
    for (int o = 0; o < O; o++) sum += expf(t[o] - top);
    y[n] = (logf(sum) + top) * 10.0f;
  }
}
