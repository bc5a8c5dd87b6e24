// level2/3 conv-transpose3d-sum-layer-norm-average-pool-gelu: x, w=conv_transpose.weight, b=conv_transpose.bias, add=sum_weight, gamma=norm.weight, beta=norm.bias -> y
#include <math.h>
#ifndef N
#define N 32
#endif
#ifndef C
#define C 32
#endif
#ifndef O
#define O 64
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
#define K 3
#define S 2
#define P 1
#define OP 1
#define EPS 1e-5f
#define DO ((D - 1) * S - 2 * P + K + OP)
#define HO ((H - 1) * S - 2 * P + K + OP)
#define WO ((W - 1) * S - 2 * P + K + OP)
void conv_transpose3d_sum_layer_norm_average_pool_gelu(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                       const float b[O], const float add[1], const float gamma[WO],
                                                       const float beta[WO], float y[N][O][DO / 2][HO / 2][WO / 2]) {
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
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f < 0 || f % S || p < 0 || p % S || q < 0 || q % S) continue;
                    f /= S, p /= S, q /= S;
                    if (f >= D || p >= H || q >= W) continue;
                    s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            t[n][o][d][i][j] = s + add[0];
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++) {
          float mean = 0.0f, var = 0.0f;
          for (int j = 0; j < WO; j++) mean += t[n][o][d][i][j];
          mean /= WO;
          for (int j = 0; j < WO; j++) {
            float e = t[n][o][d][i][j] - mean;
            var += e * e;
          }
          var /= WO;
          for (int j = 0; j < WO; j++)
            t[n][o][d][i][j] = (t[n][o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
        }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO / 2; d++)
        for (int i = 0; i < HO / 2; i++)
          for (int j = 0; j < WO / 2; j++) {
            float s = 0.0f;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) s += t[n][o][2 * d + r][2 * i + u][2 * j + v];
            s /= 8.0f;
            y[n][o][d][i][j] = 0.5f * s * (1.0f + erff(s * 0.70710678f));
          }
}
