// level2/33 linear-scale-batch-norm: x, w=gemm.weight, b=gemm.bias, scale=scale, gamma=bn.weight, beta=bn.bias -> y
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
#define EPS 1e-5f
void linear_scale_batch_norm(const float x[M][K], const float w[N][K], const float b[N], const float scale[N],
                             const float gamma[N], const float beta[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][j] = s * scale[j];
    }
  for (int j = 0; j < N; j++) {
    float mean = 0.0f, var = 0.0f;
    for (int i = 0; i < M; i++) mean += y[i][j];
    mean /= M;
    for (int i = 0; i < M; i++) {
      float d = y[i][j] - mean;
      var += d * d;
    }
    var /= M;
    for (int i = 0; i < M; i++) y[i][j] = (y[i][j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
  }
}
