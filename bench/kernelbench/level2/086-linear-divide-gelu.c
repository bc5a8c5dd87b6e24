// level2/86 linear-divide-gelu: x, w=linear.weight, b=linear.bias -> y
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
#define DIVISOR 10.0f
void linear_divide_gelu(const float *x, const float *w, const float *b, float *y) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      const float *row = x + i * K, *weights = w + j * K;
      float s = b[j];
      for (int k = 0; k < K; k++) s += row[k] * weights[k];
      s /= DIVISOR;
      y[i * N + j] = 0.5f * s * (1.0f + erff(s / sqrtf(2.0f)));
    }
}
