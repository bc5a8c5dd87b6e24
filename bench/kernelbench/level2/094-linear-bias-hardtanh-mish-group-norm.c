// level2/94 linear-bias-hardtanh-mish-group-norm: x, w=gemm.weight, b=gemm.bias, bias=bias, gamma=groupnorm.weight, beta=groupnorm.bias -> y
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
#define G 256
#endif
#define R (N / G)
#define EPS 1e-5f
static float mish(float v) { return v * tanhf(log1pf(expf(v))); }
void linear_bias_hardtanh_mish_group_norm(const float x[M][K], const float w[N][K], const float b[N],
                                          const float bias[N], const float gamma[N], const float beta[N],
                                          float y[M][N]) {
  float t[M][N];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s += b[j] + bias[j];
      s = fmaxf(-1.0f, fminf(1.0f, s));
      t[i][j] = mish(s);
    }
  for (int i = 0; i < M; i++)
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int r = 0; r < R; r++) mean += t[i][g * R + r];
      mean /= R;
      for (int r = 0; r < R; r++) {
        float d = t[i][g * R + r] - mean;
        var += d * d;
      }
      var /= R;
      for (int r = 0; r < R; r++)
        y[i][g * R + r] = (t[i][g * R + r] - mean) / sqrtf(var + EPS) * gamma[g * R + r] + beta[g * R + r];
    }
}
