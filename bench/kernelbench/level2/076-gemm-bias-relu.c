// level2/76 gemm-bias-relu: x, w=gemm.weight, bias=bias -> y
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
void gemm_bias_relu(const float x[M][K], const float w[N][K], const float bias[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      y[i][j] = 0.0f;
      for (int k = 0; k < K; k++) y[i][j] += x[i][k] * w[j][k];
      y[i][j] = fmaxf(y[i][j] + bias[j], 0.0f);
    }
}
