// level2/95 linear-add-swish-tanh-gelu-hardtanh: x, w=matmul.weight, b=matmul.bias, addend=add_value -> y
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
static float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
static float hardtanh(float v) { return v < -1.0f ? -1.0f : v > 1.0f ? 1.0f : v; }
void linear_add_swish_tanh_gelu_hardtanh(const float x[M][K], const float w[N][K], const float b[N],
                                         const float addend[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s += addend[j];
      s = sigmoid(s) * s;
      s = tanhf(s);
      s = gelu(s);
      y[i][j] = hardtanh(s);
    }
}
