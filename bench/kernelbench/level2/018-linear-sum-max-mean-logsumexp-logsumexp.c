// level2/18 linear-sum-max-mean-logsumexp-logsumexp: x, w=linear.weight, b=linear.bias -> y
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
/* log-sum-exp of a row with one element */
static float logsumexp1(float v) {
  float top = v;
  return logf(expf(v - top)) + top;
}
void linear_sum_max_mean_logsumexp_logsumexp(const float x[M][K], const float w[N][K], const float b[N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float sum = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      sum += s;
    }
    y[i] = logsumexp1(logsumexp1(sum));
  }
}
