// level2/80 linear-max-subtract-mean-gelu: x, w=gemm.weight, b=gemm.bias -> y
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
void linear_max_subtract_mean_gelu(const float x[M][K], const float w[N][K], const float b[N], float y[M][1]) {
  for (int i = 0; i < M; i++) {
    float top = -INFINITY;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      top = fmaxf(top, s);
    }
    float mean = top / 1; /* of the one element that is left of the row */
    float v = top - mean;
    y[i][0] = 0.5f * v * (1.0f + erff(v * 0.70710678f));
  }
}
