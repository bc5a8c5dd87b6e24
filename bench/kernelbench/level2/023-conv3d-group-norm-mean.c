// level2/23 conv3d-group-norm-mean: x, w=conv.weight, b=conv.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 3
#endif
#ifndef O
#define O 24
#endif
#ifndef D
#define D 24
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
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
#define OG (O / G)
#define EPS 1e-5f
void conv3d_group_norm_mean(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                            const float gamma[O], const float beta[O], float y[N]) {
  float t[N][O][DO][HO][WO];
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
            t[n][o][d][i][j] = s;
          }
  for (int n = 0; n < N; n++) {
    float total = 0.0f;
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) mean += t[n][g * OG + k][d][i][j];
      mean /= OG * DO * HO * WO;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++) {
              float e = t[n][g * OG + k][d][i][j] - mean;
              var += e * e;
            }
      var /= OG * DO * HO * WO;
      for (int k = 0; k < OG; k++)
        for (int d = 0; d < DO; d++)
          for (int i = 0; i < HO; i++)
            for (int j = 0; j < WO; j++)
              total += (t[n][g * OG + k][d][i][j] - mean) / sqrtf(var + EPS) * gamma[g * OG + k] + beta[g * OG + k];
    }
    y[n] = total / (O * DO * HO * WO);
  }
}
