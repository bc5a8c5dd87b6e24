// level2/15 conv-transpose3d-batch-norm-subtract-mean: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=batch_norm.weight, beta=batch_norm.bias -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 16
#endif
#ifndef O
#define O 32
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
#define EPS 1e-5f
#define DO ((D - 1) * S - 2 * P + K)
#define HO ((H - 1) * S - 2 * P + K)
#define WO ((W - 1) * S - 2 * P + K)
void conv_transpose3d_batch_norm_subtract_mean(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                               const float b[O], const float gamma[O], const float beta[O],
                                               float y[N][O][DO][HO][WO]) {
  const float count = (float)N * DO * HO * WO, volume = (float)DO * HO * WO;
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = 0.0f;
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++) {
                int f = d + P - r;
                if (f < 0 || f % S != 0 || f / S >= D) continue;
                for (int u = 0; u < K; u++) {
                  int p = i + P - u;
                  if (p < 0 || p % S != 0 || p / S >= H) continue;
                  for (int v = 0; v < K; v++) {
                    int q = j + P - v;
                    if (q < 0 || q % S != 0 || q / S >= W) continue;
                    s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
                }
              }
            y[n][o][d][i][j] = s + b[o];
          }
  for (int o = 0; o < O; o++) {
    float sum = 0.0f, square = 0.0f;
    for (int n = 0; n < N; n++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            sum += y[n][o][d][i][j];
            square += y[n][o][d][i][j] * y[n][o][d][i][j];
          }
    float mean = sum / count;
    float var = square / count - mean * mean;
    float scale = gamma[o] / sqrtf(var + EPS);
    for (int n = 0; n < N; n++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) y[n][o][d][i][j] = (y[n][o][d][i][j] - mean) * scale + beta[o];
  }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float m = 0.0f;
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) m += y[n][o][d][i][j];
      m /= volume;
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) y[n][o][d][i][j] -= m;
    }
}
