// level1/35 group-norm: x, weight=gn.weight, bias=gn.bias -> y
#include <math.h>
#ifndef N
#define N 112
#endif
#ifndef C
#define C 64
#endif
#ifndef G
#define G 8
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define EPS 1e-5f
#define CG (C / G)

void group_norm(const float x[N][C][H][W], const float weight[C], const float bias[C], float y[N][C][H][W]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float sum = 0.0f, squares = 0.0f;
      for (int c = g * CG; c < (g + 1) * CG; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++) {
            float v = x[n][c][i][j];
            sum += v;
            squares += v * v;
          }
      float mean = sum / (CG * H * W);
      float var = squares / (CG * H * W) - mean * mean;
      float inv = 1.0f / sqrtf(var + EPS);
      for (int c = g * CG; c < (g + 1) * CG; c++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            y[n][c][i][j] = (x[n][c][i][j] - mean) * inv * weight[c] + bias[c];
    }
}
