// level1/37 frobenius-norm: x -> y
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

void frobenius_norm(const float x[N][C][H][W], float y[N][C][H][W]) {
  float norm = 0.0f;
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          norm += x[n][c][i][j] * x[n][c][i][j];
  norm = sqrtf(norm);
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          y[n][c][i][j] = x[n][c][i][j] / norm;
}
