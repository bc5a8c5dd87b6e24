// level2/68 linear-min-subtract: x, w=linear.weight, b=linear.bias, constant=constant -> y
#include <math.h>
#ifndef M
#define M 128
#endif
#ifndef K
#define K 16384
#endif
#ifndef N
#define N 16384
#endif
void linear_min_subtract(const float x[M][K], const float w[N][K], const float b[N], const float *constant,
                         float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][j] = fminf(s, *constant) - *constant;
    }
}
