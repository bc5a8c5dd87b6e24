// level2/52 conv-mish-batch-norm: x, w=conv.weight, b=conv.bias, gamma=bn.weight, beta=bn.bias -> y
#include <math.h>
#ifndef N
#define N 64
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
#define EPS 1e-5f
static float softplus(float v) { return v > 20.0f ? v : log1pf(expf(v)); }
void conv_mish_batch_norm(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], const float gamma[O],
                          const float beta[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = tanhf(softplus(s)) * s;
        }
  for (int o = 0; o < O; o++) {
    float mean = 0.0f, var = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) mean += y[n][o][i][j];
    mean /= N * OH * OW;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float d = y[n][o][i][j] - mean;
          var += d * d;
        }
    var /= N * OH * OW;
    float inv = 1.0f / sqrtf(var + EPS);
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) y[n][o][i][j] = (y[n][o][i][j] - mean) * inv * gamma[o] + beta[o];
  }
}
