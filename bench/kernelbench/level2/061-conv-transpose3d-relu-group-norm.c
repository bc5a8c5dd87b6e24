// level2/61 conv-transpose3d-relu-group-norm: x, w=conv_transpose.weight, gamma=group_norm.weight, beta=group_norm.bias -> y
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
#define D 32
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 32
#endif
#ifndef G
#define G 8
#endif
#define K 3
#define EPS 1e-5f
#define OD (D + K - 1)
#define OH (H + K - 1)
#define OW (W + K - 1)
#define PER (O / G)
void conv_transpose3d_relu_group_norm(const float x[N][C][D][H][W], const float w[C][O][K][K][K], const float gamma[O],
                                      const float beta[O], float y[N][O][OD][OH][OW]) {
  float t[N][O][OD][OH][OW];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = 0.0f;
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d - r, p = i - u, q = j - v;
                    if (f >= 0 && f < D && p >= 0 && p < H && q >= 0 && q < W)
                      s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            t[n][o][d][i][j] = s > 0.0f ? s : 0.0f;
          }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float sum = 0.0f, squares = 0.0f;
      for (int o = g * PER; o < (g + 1) * PER; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
              sum += t[n][o][d][i][j];
              squares += t[n][o][d][i][j] * t[n][o][d][i][j];
            }
      float mean = sum / (PER * OD * OH * OW);
      float inv = 1.0f / sqrtf(squares / (PER * OD * OH * OW) - mean * mean + EPS);
      for (int o = g * PER; o < (g + 1) * PER; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++)
              y[n][o][d][i][j] = (t[n][o][d][i][j] - mean) * inv * gamma[o] + beta[o];
    }
}
