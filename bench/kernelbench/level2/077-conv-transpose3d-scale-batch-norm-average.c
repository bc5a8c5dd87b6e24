// level2/77 conv-transpose3d-scale-batch-norm-average: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=batch_norm.weight, beta=batch_norm.bias -> y
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
#ifndef D
#define D 16
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 32
#endif
#define K 5
#define SCALE 2.0f
#define EPS 1e-5f
#define OD (D + K - 1)
#define OH (H + K - 1)
#define OW (W + K - 1)
void conv_transpose3d_scale_batch_norm_average(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                               const float b[O], const float gamma[O], const float beta[O],
                                               float y[N][O]) {
  float t[N][O][OD][OH][OW];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++) {
                if (d - r < 0 || d - r >= D) continue;
                for (int u = 0; u < K; u++) {
                  if (i - u < 0 || i - u >= H) continue;
                  for (int v = 0; v < K; v++)
                    if (j - v >= 0 && j - v < W) s += x[n][c][d - r][i - u][j - v] * w[c][o][r][u][v];
                }
              }
            t[n][o][d][i][j] = s * SCALE;
          }
  for (int o = 0; o < O; o++) {
    float sum = 0.0f, var = 0.0f;
    for (int n = 0; n < N; n++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) sum += t[n][o][d][i][j];
    float mean = sum / (N * OD * OH * OW);
    for (int n = 0; n < N; n++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) var += (t[n][o][d][i][j] - mean) * (t[n][o][d][i][j] - mean);
    var /= N * OD * OH * OW;
    for (int n = 0; n < N; n++) {
      float s = 0.0f;
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) s += (t[n][o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
      y[n][o] = s / (OD * OH * OW);
    }
  }
}
