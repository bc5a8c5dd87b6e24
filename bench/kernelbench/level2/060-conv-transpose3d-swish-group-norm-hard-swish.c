// level2/60 conv-transpose3d-swish-group-norm-hard-swish: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 3
#endif
#ifndef O
#define O 16
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
#ifndef G
#define G 4
#endif
#define K 3
#define S 2
#define P 1
#define EPS 1e-5f
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
#define PER (O / G)
#define COUNT (PER * OD * OH * OW)
static float swish(float v) { return v / (1.0f + expf(-v)); }
static float hard_swish(float v) {
  if (v <= -3.0f) return 0.0f;
  if (v >= 3.0f) return v;
  return v * (v + 3.0f) / 6.0f;
}
void conv_transpose3d_swish_group_norm_hard_swish(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                  const float b[O], const float gamma[O], const float beta[O],
                                                  float y[N][O][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f >= 0 && f % S == 0 && f / S < D && p >= 0 && p % S == 0 && p / S < H && q >= 0 &&
                        q % S == 0 && q / S < W)
                      s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
            y[n][o][d][i][j] = swish(s);
          }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int o = g * PER; o < g * PER + PER; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) mean += y[n][o][d][i][j];
      mean /= COUNT;
      for (int o = g * PER; o < g * PER + PER; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
              float e = y[n][o][d][i][j] - mean;
              var += e * e;
            }
      var /= COUNT;
      for (int o = g * PER; o < g * PER + PER; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++)
              y[n][o][d][i][j] = hard_swish((y[n][o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o]);
    }
}
