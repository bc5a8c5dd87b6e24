// level2/88 linear-group-norm-swish-multiply-swish: x, w=gemm.weight, b=gemm.bias, gamma=group_norm.weight, beta=group_norm.bias, factor=multiply_weight -> y
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
static float swish(float v) { return v / (1.0f + expf(-v)); }
void linear_group_norm_swish_multiply_swish(const float x[M][K], const float w[N][K], const float b[N],
                                            const float gamma[N], const float beta[N], const float factor[N],
                                            float y[M][N]) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][j] = s;
    }
    for (int g = 0; g < G; g++) {
      float sum = 0.0f, squares = 0.0f;
      for (int j = g * R; j < (g + 1) * R; j++) {
        sum += y[i][j];
        squares += y[i][j] * y[i][j];
      }
      float mean = sum / R;
      float inv = 1.0f / sqrtf(squares / R - mean * mean + EPS);
      for (int j = g * R; j < (g + 1) * R; j++) {
        float t = swish((y[i][j] - mean) * inv * gamma[j] + beta[j]);
        y[i][j] = swish(t * factor[j]);
      }
    }
  }
}
