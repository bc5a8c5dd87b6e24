// level2/19 conv-transpose-gelu-group-norm: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 64
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#ifndef G
#define G 8
#endif
#define K 3
#define OH (H + K - 1)
#define OW (W + K - 1)
#define CG (O / G)
#define EPS 1e-5f
static float gelu(float v) { return v * 0.5f * (1.0f + erff(v * 0.70710678118f)); }
void conv_transpose_gelu_group_norm(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                    const float gamma[O], const float beta[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++)
                if (i - u >= 0 && i - u < H && j - v >= 0 && j - v < W) s += x[n][c][i - u][j - v] * w[c][o][u][v];
          y[n][o][i][j] = gelu(s);
        }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int k = 0; k < CG; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) mean += y[n][g * CG + k][i][j];
      mean /= CG * OH * OW;
      for (int k = 0; k < CG; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float d = y[n][g * CG + k][i][j] - mean;
            var += d * d;
          }
      var /= CG * OH * OW;
      float r = 1.0f / sqrtf(var + EPS);
      for (int k = 0; k < CG; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            int o = g * CG + k;
            y[n][o][i][j] = (y[n][o][i][j] - mean) * r * gamma[o] + beta[o];
          }
    }
}
