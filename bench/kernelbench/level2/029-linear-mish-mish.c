// level2/29 linear-mish-mish: x, w=linear.weight, b=linear.bias -> y
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
static float mish(float v) {
  float sp = v > 20.0f ? v : log1pf(expf(v));
  return v * tanhf(sp);
}
void linear_mish_mish(const float *x, const float *w, const float *b, float *y) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i * K + k] * w[j * K + k];
      y[i * N + j] = mish(mish(s));
    }
  }
}
