// level2/30 linear-group-norm-hardtanh: x, w=gemm.weight, b=gemm.bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef M
#define M 1024
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 8192
#endif
#ifndef G
#define G 16
#endif
#define R (N / G)
#define EPS 1e-5f
#define LOW -2.0f
#define HIGH 2.0f
void linear_group_norm_hardtanh(const float x[M][K], const float w[N][K], const float b[N], const float gamma[N],
                                const float beta[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][j] = s + b[j];
    }
  for (int i = 0; i < M; i++)
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int r = 0; r < R; r++) mean += y[i][g * R + r];
      mean /= R;
      for (int r = 0; r < R; r++) var += (y[i][g * R + r] - mean) * (y[i][g * R + r] - mean);
      var /= R;
      for (int r = 0; r < R; r++) {
        int j = g * R + r;
        float v = (y[i][j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
        if (v < LOW) v = LOW;
        if (v > HIGH) v = HIGH;
        y[i][j] = v;
      }
    }
}
