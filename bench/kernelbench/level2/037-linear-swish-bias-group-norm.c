// level2/37 linear-swish-bias-group-norm: x, w=matmul.weight, b=matmul.bias, bias=bias, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef M
#define M 32768
#endif
#ifndef K
#define K 1024
#endif
#ifndef N
#define N 4096
#endif
#ifndef G
#define G 64
#endif
#define SIZE (N / G)
#define EPS 1e-5f
static float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
void linear_swish_bias_group_norm(const float x[M][K], const float w[N][K], const float b[N], const float bias[N],
                                  const float gamma[N], const float beta[N], float y[M][N]) {
  for (int i = 0; i < M; i++) {
    float t[N];
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      t[j] = sigmoid(s) * s + bias[j];
    }
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int j = g * SIZE; j < (g + 1) * SIZE; j++) mean += t[j];
      mean /= SIZE;
      for (int j = g * SIZE; j < (g + 1) * SIZE; j++) var += (t[j] - mean) * (t[j] - mean);
      var /= SIZE;
      for (int j = g * SIZE; j < (g + 1) * SIZE; j++) y[i][j] = (t[j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
    }
  }
}
