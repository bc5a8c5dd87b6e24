// level2/99 linear-gelu-softmax: x, w=linear.weight, b=linear.bias -> y
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
void linear_gelu_softmax(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++) {
    float row[N], sum = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      row[j] = 0.5f * s * (1.0f + erff(s * 0.70710678f));
    }
    float top = row[0];
    for (int j = 1; j < N; j++)
      if (row[j] > top) top = row[j];
    for (int j = 0; j < N; j++) {
      row[j] = expf(row[j] - top);
      sum += row[j];
    }
    for (int j = 0; j < N; j++) y[i][j] = row[j] / sum;
  }
}
