// level2/41 linear-batch-norm-gelu-relu: x, w=gemm.weight, b=gemm.bias, gamma=batch_norm.weight, beta=batch_norm.bias -> y
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
void linear_batch_norm_gelu_relu(const float x[BATCH][IN], const float w[OUT][IN], const float b[OUT],
                                 const float gamma[OUT], const float beta[OUT], float y[BATCH][OUT]) {
  float t[BATCH][OUT];
  for (int n = 0; n < BATCH; n++)
    for (int o = 0; o < OUT; o++) {
      float s = b[o];
      for (int k = 0; k < IN; k++) s += x[n][k] * w[o][k];
      t[n][o] = s;
    }
  for (int o = 0; o < OUT; o++) {
    float mean = 0.0f, var = 0.0f;
    for (int n = 0; n < BATCH; n++) mean += t[n][o];
    mean /= BATCH;
    for (int n = 0; n < BATCH; n++) var += (t[n][o] - mean) * (t[n][o] - mean);
    var /= BATCH;
    for (int n = 0; n < BATCH; n++) {
      float z = (t[n][o] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
      z = 0.5f * z * (1.0f + erff(z * 0.70710678f));
      y[n][o] = z > 0.0f ? z : 0.0f;
    }
  }
}
