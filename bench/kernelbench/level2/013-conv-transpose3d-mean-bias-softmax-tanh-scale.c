// level2/13 conv-transpose3d-mean-bias-softmax-tanh-scale: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 16
#endif
#ifndef O
#define O 64
#endif
#ifndef D
#define D 32
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define P 1
#define SCALE 2.0f
void conv_transpose3d_mean_bias_softmax_tanh_scale(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                   const float b[O], const float bias[O], float y[N][O][H][W]) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float t[O];
        for (int o = 0; o < O; o++) {
          float mean = 0.0f;
          for (int d = 0; d < D; d++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f >= 0 && f < D && p >= 0 && p < H && q >= 0 && q < W)
                      s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            mean += s;
          }
          t[o] = mean / D + bias[o];
        }
        float top = t[0], sum = 0.0f;
        for (int o = 1; o < O; o++) top = fmaxf(top, t[o]);
        for (int o = 0; o < O; o++) sum += expf(t[o] - top);
        for (int o = 0; o < O; o++) y[n][o][i][j] = tanhf(expf(t[o] - top) / sum) * SCALE;
      }
}
