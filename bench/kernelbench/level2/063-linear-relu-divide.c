// level2/63 linear-relu-divide: x, w=linear.weight, b=linear.bias -> y
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
#define DIVISOR 2.0f
void linear_relu_divide(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) y[i][j] = b[j];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < K; k++) y[i][j] += x[i][k] * w[j][k];
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) y[i][j] = fmaxf(y[i][j], 0.0f) / DIVISOR;
}
