// level2/64 linear-logsumexp-leaky-relu-leaky-relu-gelu-gelu: x, w=linear.weight, b=linear.bias -> y
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
#define SLOPE 0.01f
static float leaky_relu(float v) { return v > 0.0f ? v : v * SLOPE; }
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
void linear_logsumexp_leaky_relu_leaky_relu_gelu_gelu(const float x[M][K], const float w[N][K], const float b[N],
                                                      float y[M]) {
  float t[M][N];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      t[i][j] = s;
    }
  for (int i = 0; i < M; i++) {
    float top = t[i][0], sum = 0.0f;
    for (int j = 1; j < N; j++) top = fmaxf(top, t[i][j]);
    for (int j = 0; j < N; j++) sum += expf(t[i][j] - top);
    y[i] = gelu(gelu(leaky_relu(leaky_relu(logf(sum) + top))));
  }
}
