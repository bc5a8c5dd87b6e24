// level2/83 conv3d-group-norm-min-clamp-dropout: x, w=conv.weight, b=conv.bias, gamma=norm.weight, beta=norm.bias -> y
// Dropout comes last; what it keeps or drops is 0 after the minimum with 0 and the clamp to [0, 1], so it is left out.
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
#define H 64
#endif
#ifndef W
#define W 64
#endif
#ifndef G
#define G 8
#endif
#define K 3
#define EPS 1e-5f
#define MIN 0.0f
#define MAX 1.0f
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
#define OG (O / G)
void conv3d_group_norm_min_clamp_dropout(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                                         const float gamma[O], const float beta[O], float y[N][O][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            y[n][o][d][i][j] = s;
          }
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) mean += y[n][g * OG + k][d][i][j];
      mean /= OG * DO * HO * WO;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) {
              float e = y[n][g * OG + k][d][i][j] - mean;
              var += e * e;
            }
      var /= OG * DO * HO * WO;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) {
              int o = g * OG + k;
              float t = (y[n][o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
              t = fminf(t, MIN);
              y[n][o][d][i][j] = fminf(fmaxf(t, MIN), MAX);
            }
    }
}
