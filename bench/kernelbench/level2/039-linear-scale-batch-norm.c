// level2/39 linear-scale-batch-norm: x, w=gemm.weight, b=gemm.bias, scale=scale, gamma=bn.weight, beta=bn.bias -> y
#include <math.h>
#ifndef BATCH
#define BATCH 16384
#endif
#ifndef IN
#define IN 4096
#endif
#ifndef OUT
#define OUT 4096
#endif
#define EPS 1e-5f
void linear_scale_batch_norm(const float x[BATCH][IN], const float w[OUT][IN], const float b[OUT],
                             const float scale[OUT], const float gamma[OUT], const float beta[OUT],
                             float y[BATCH][OUT]) {
  float sum[OUT], squares[OUT];
  for (int j = 0; j < OUT; j++) {
    sum[j] = 0.0f;
    squares[j] = 0.0f;
  }
  for (int i = 0; i < BATCH; i++)
    for (int j = 0; j < OUT; j++) {
      float s = 0.0f;
      for (int k = 0; k < IN; k++) s += x[i][k] * w[j][k];
      s = (s + b[j]) * scale[j];
      y[i][j] = s;
      sum[j] += s;
      squares[j] += s * s;
    }
  for (int i = 0; i < BATCH; i++)
    for (int j = 0; j < OUT; j++) {
      float mean = sum[j] / BATCH;
      float var = squares[j] / BATCH - mean * mean;
      y[i][j] = (y[i][j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
    }
}
