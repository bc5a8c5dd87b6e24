// level2/92 conv-group-norm-tanh-hard-swish-residual-logsumexp: x, w=conv.weight, b=conv.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 64
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#ifndef G
#define G 16
#endif
#define K 3
#define EPS 1e-5f
#define OH (H - K + 1)
#define OW (W - K + 1)
#define PER (O / G)
static float hard_swish(float v) { return v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; }
void conv_group_norm_tanh_hard_swish_residual_logsumexp(const float x[N][C][H][W], const float w[O][C][K][K],
                                                        const float b[O], const float gamma[O], const float beta[O],
                                                        float y[N][OH][OW]) {
  float t[N][O][OH][OW], mean[N][G], inv[N][G];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          t[n][o][i][j] = s;
        }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float m = 0.0f, var = 0.0f;
      for (int k = 0; k < PER; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) m += t[n][g * PER + k][i][j];
      m /= PER * OH * OW;
      for (int k = 0; k < PER; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) var += (t[n][g * PER + k][i][j] - m) * (t[n][g * PER + k][i][j] - m);
      mean[n][g] = m;
      inv[n][g] = 1.0f / sqrtf(var / (PER * OH * OW) + EPS);
    }
  for (int n = 0; n < N; n++)
    for (int i = 0; i < OH; i++)
      for (int j = 0; j < OW; j++) {
        float r[O], top = -INFINITY, sum = 0.0f;
        for (int o = 0; o < O; o++) {
          float z = (t[n][o][i][j] - mean[n][o / PER]) * inv[n][o / PER] * gamma[o] + beta[o];
          r[o] = t[n][o][i][j] + hard_swish(tanhf(z));
          top = fmaxf(top, r[o]);
        }
        for (int o = 0; o < O; o++) sum += expf(r[o] - top);
        y[n][i][j] = top + logf(sum);
      }
}
