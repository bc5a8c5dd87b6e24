// level2/84 linear-batch-norm-scale-softmax: x, w=gemm.weight, b=gemm.bias, gamma=bn.weight, beta=bn.bias, scale=scale -> y
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
void linear_batch_norm_scale_softmax(const float x[M][K], const float w[N][K], const float b[N], const float gamma[N],
                                     const float beta[N], const float scale[1], float y[M][N]) {
  float t[M][N], mean[N], var[N];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      t[i][j] = b[j];
      for (int k = 0; k < K; k++) t[i][j] += x[i][k] * w[j][k];
    }
  for (int j = 0; j < N; j++) {
    mean[j] = 0.0f;
    for (int i = 0; i < M; i++) mean[j] += t[i][j];
    mean[j] /= M;
    var[j] = 0.0f;
    for (int i = 0; i < M; i++) var[j] += (t[i][j] - mean[j]) * (t[i][j] - mean[j]);
    var[j] /= M;
  }
  for (int i = 0; i < M; i++) {
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j < N; j++) {
      t[i][j] = scale[0] * ((t[i][j] - mean[j]) / sqrtf(var[j] + EPS) * gamma[j] + beta[j]);
      top = fmaxf(top, t[i][j]);
    }
    for (int j = 0; j < N; j++) sum += expf(t[i][j] - top);
    for (int j = 0; j < N; j++) y[i][j] = expf(t[i][j] - top) / sum;
  }
}
