// level1/36 rms-norm: x -> y
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

void rms_norm(const float x[N][C][H][W], float y[N][C][H][W]) {
  for (int n = 0; n < N; n++)
    for (int i = 0; i < H; i++)
      for (int j = 0; j < W; j++) {
        float squares = 0.0f;
        for (int c = 0; c < C; c++)
          squares += x[n][c][i][j] * x[n][c][i][j];
        float rms = sqrtf(squares / C + EPS);
        for (int c = 0; c < C; c++)
          y[n][c][i][j] = x[n][c][i][j] / rms;
      }
}
