// level2/27 conv3d-hard-swish-group-norm-mean: x, w=conv.weight, b=conv.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 1024
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
#define K 4
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
#define VOLUME (DO * HO * WO)
#define EPS 1e-5f
void conv3d_hard_swish_group_norm_mean(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                                       const float gamma[O], const float beta[O], float y[N][O]) {
  for (int n = 0; n < N; n++) {
    float t[O][DO][HO][WO];
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            float gate = s + 3.0f;
            if (gate < 0.0f) gate = 0.0f;
            if (gate > 6.0f) gate = 6.0f;
            t[o][d][i][j] = s * gate / 6.0f;
          }
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) mean += t[o][d][i][j];
      mean /= (O / G) * VOLUME;
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) var += (t[o][d][i][j] - mean) * (t[o][d][i][j] - mean);
      var /= (O / G) * VOLUME;
      for (int o = g * (O / G); o < (g + 1) * (O / G); o++) {
        float s = 0.0f;
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) s += (t[o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
        y[n][o] = s / VOLUME;
      }
    }
  }
}
