// level2/73 conv-batch-norm-scale: x, w=conv.weight, b=conv.bias, gamma=bn.weight, beta=bn.bias -> y
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
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define EPS 1e-5f
#define SCALE 2.0f
void conv_batch_norm_scale(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], const float gamma[O],
                           const float beta[O], float y[N][O][OH][OW]) {
  for (int o = 0; o < O; o++) {
    float sum = 0.0f, squares = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = s;
          sum += s;
          squares += s * s;
        }
    float mean = sum / (N * OH * OW);
    float var = squares / (N * OH * OW) - mean * mean;
    float inv = 1.0f / sqrtf(var + EPS);
    for (int n = 0; n < N; n++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++)
          y[n][o][i][j] = ((y[n][o][i][j] - mean) * inv * gamma[o] + beta[o]) * SCALE;
  }
}
