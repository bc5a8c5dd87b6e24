// level2/97 linear-batch-norm-bias-divide-swish: x, w=matmul.weight, b=matmul.bias, gamma=bn.weight, beta=bn.bias, bias=bias -> y
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
#define DIVIDE 1.0f
void linear_batch_norm_bias_divide_swish(const float x[M][K], const float w[N][K], const float b[N],
                                         const float gamma[N], const float beta[N], const float bias[1],
                                         float y[M][N]) {
  for (int j = 0; j < N; j++) {
    float col[M], mean = 0.0f, var = 0.0f;
    for (int i = 0; i < M; i++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      col[i] = s;
      mean += s;
    }
    mean /= M;
    for (int i = 0; i < M; i++) var += (col[i] - mean) * (col[i] - mean);
    var /= M;
    for (int i = 0; i < M; i++) {
      float t = (col[i] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
      t = (t + bias[0]) / DIVIDE;
      y[i][j] = t * (1.0f / (1.0f + expf(-t)));
    }
  }
}
