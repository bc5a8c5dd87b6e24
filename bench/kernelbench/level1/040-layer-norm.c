// level1/40 layer-norm: x, gamma=ln.weight, beta=ln.bias -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#define EPS 1e-5f

void layer_norm(const float x[N][C][H][W], const float gamma[C][H][W], const float beta[C][H][W],
                float y[N][C][H][W]) {
  const int count = C * H * W;
  for (int n = 0; n < N; n++) {
    float mean = 0.0f;
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          mean += x[n][c][i][j];
    mean /= count;
    float var = 0.0f;
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float d = x[n][c][i][j] - mean;
          var += d * d;
        }
    var /= count;
    float rstd = 1.0f / sqrtf(var + EPS);
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          y[n][c][i][j] = (x[n][c][i][j] - mean) * rstd * gamma[c][i][j] + beta[c][i][j];
  }
}
