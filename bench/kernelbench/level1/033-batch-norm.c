// level1/33 batch-norm: x, gamma=bn.weight, beta=bn.bias -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define EPS 1e-5f

void batch_norm(const float x[N][C][H][W], const float gamma[C], const float beta[C], float y[N][C][H][W]) {
  for (int c = 0; c < C; c++) {
    float sum = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          sum += x[n][c][i][j];
    float mean = sum / ((float)N * H * W);

    float var = 0.0f;
    for (int n = 0; n < N; n++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float d = x[n][c][i][j] - mean;
          var += d * d;
        }
    var /= (float)N * H * W;

    float scale = gamma[c] / sqrtf(var + EPS);
    for (int n = 0; n < N; n++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          y[n][c][i][j] = (x[n][c][i][j] - mean) * scale + beta[c];
  }
}
