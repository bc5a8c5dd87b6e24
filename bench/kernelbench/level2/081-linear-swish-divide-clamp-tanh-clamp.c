// level2/81 linear-swish-divide-clamp-tanh-clamp: x, w=gemm.weight, b=gemm.bias -> y
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
static float clamp1(float v) { return v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v; }
void linear_swish_divide_clamp_tanh_clamp(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s = s * (1.0f / (1.0f + expf(-s)));
      s = clamp1(s / 2.0f);
      y[i][j] = clamp1(tanhf(s));
    }
}
