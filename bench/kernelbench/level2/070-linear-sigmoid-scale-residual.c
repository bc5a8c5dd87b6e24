// level2/70 linear-sigmoid-scale-residual: x, w=gemm.weight, b=gemm.bias -> y
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
#define SCALE 2.0f
static float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
void linear_sigmoid_scale_residual(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float original = 0.0f;
      for (int k = 0; k < K; k++) original += x[i][k] * w[j][k];
      original += b[j];
      y[i][j] = sigmoid(original) * SCALE + original;
    }
}
