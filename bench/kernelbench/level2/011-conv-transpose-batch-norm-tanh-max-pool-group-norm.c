// level2/11 conv-transpose-batch-norm-tanh-max-pool-group-norm: x, w=conv_transpose.weight, b=conv_transpose.bias, bn_weight=batch_norm.weight, bn_bias=batch_norm.bias, gn_weight=group_norm.weight, gn_bias=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 512
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 32
#endif
#ifndef G
#define G 8
#endif
#define K 5
#define P 1
#define EPS 1e-5f
#define OH (H - 1 - 2 * P + K)
#define OW (W - 1 - 2 * P + K)
#define PH (OH / 2)
#define PW (OW / 2)
void conv_transpose_batch_norm_tanh_max_pool_group_norm(const float x[N][C][H][W], const float w[C][O][K][K],
                                                        const float b[O], const float bn_weight[O],
                                                        const float bn_bias[O], const float gn_weight[O],
                                                        const float gn_bias[O], float y[N][O][PH][PW]) {
  float t[N][O][OH][OW];
  float mean[O], var[O];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + P - u, q = j + P - v;
                if (p >= 0 && p < H && q >= 0 && q < W) s += x[n][c][p][q] * w[c][o][u][v];
              }
          t[n][o][i][j] = s;
        }
  for (int o = 0; o < O; o++) {
    float s = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) s += t[n][o][i][j];
    mean[o] = s / ((float)N * OH * OW);
    float q = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float d = t[n][o][i][j] - mean[o];
          q += d * d;
        }
    var[o] = q / ((float)N * OH * OW);
  }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++) {
          float m = -INFINITY;
          for (int u = 0; u < 2; u++)
            for (int v = 0; v < 2; v++) {
              float z = (t[n][o][2 * i + u][2 * j + v] - mean[o]) / sqrtf(var[o] + EPS) * bn_weight[o] + bn_bias[o];
              m = fmaxf(m, tanhf(z));
            }
          y[n][o][i][j] = m;
        }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float s = 0.0f, q = 0.0f;
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) s += y[n][o][i][j];
      float mu = s / (O / G * PH * PW);
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) q += (y[n][o][i][j] - mu) * (y[n][o][i][j] - mu);
      float inv = 1.0f / sqrtf(q / (O / G * PH * PW) + EPS);
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) y[n][o][i][j] = (y[n][o][i][j] - mu) * inv * gn_weight[o] + gn_bias[o];
    }
}
