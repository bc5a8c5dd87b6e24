// level2/79 conv3d-multiply-instance-norm-clamp-multiply-max: x, w=conv.weight, b=conv.bias, multiplier=multiplier -> y
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
#define K 3
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
#define VOLUME (DO * HO * WO)
#define EPS 1e-5f
#define LOW -1.0f
#define HIGH 1.0f
void conv3d_multiply_instance_norm_clamp_multiply_max(const float x[N][C][D][H][W], const float w[O][C][K][K][K],
                                                      const float b[O], const float multiplier[O],
                                                      float y[N][DO][HO][WO]) {
  float t[N][O][DO][HO][WO];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float mean = 0.0f, var = 0.0f;
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            t[n][o][d][i][j] = s * multiplier[o];
            mean += t[n][o][d][i][j];
          }
      mean /= VOLUME;
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) var += (t[n][o][d][i][j] - mean) * (t[n][o][d][i][j] - mean);
      var /= VOLUME;
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float z = (t[n][o][d][i][j] - mean) / sqrtf(var + EPS);
            z = fminf(fmaxf(z, LOW), HIGH);
            t[n][o][d][i][j] = z * multiplier[o];
          }
    }
  for (int n = 0; n < N; n++)
    for (int d = 0; d < DO; d++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float m = t[n][0][d][i][j];
          for (int o = 1; o < O; o++) m = fmaxf(m, t[n][o][d][i][j]);
          y[n][d][i][j] = m;
        }
}
