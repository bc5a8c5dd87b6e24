// level2/56 linear-sigmoid-sum: x, w=linear.weight, b=linear.bias -> y
#include <math.h>
#ifndef M
#define M 128
#endif
#ifndef K
#define K 32768
#endif
#ifndef N
#define N 32768
#endif
void linear_sigmoid_sum(const float x[M][K], const float w[N][K], const float b[N], float y[M][1]) {
  for (int i = 0; i < M; i++) {
    y[i][0] = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][0] += 1.0f / (1.0f + expf(-s));
    }
  }
}
