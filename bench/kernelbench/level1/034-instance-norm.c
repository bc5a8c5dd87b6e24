// level1/34 instance-norm: x -> y
#include <math.h>
#ifndef N
#define N 112
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

void instance_norm(const float x[N][C][H][W], float y[N][C][H][W]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++) {
      float mean = 0.0f, var = 0.0f;
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          mean += x[n][c][i][j];
      mean /= H * W;
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          var += (x[n][c][i][j] - mean) * (x[n][c][i][j] - mean);
      var /= H * W;
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          y[n][c][i][j] = (x[n][c][i][j] - mean) / sqrtf(var + EPS);
    }
}
