// level2/66 linear-dropout-softmax: x, w=matmul.weight, b=matmul.bias -> y
// Dropout is random while training; here it is what it is in evaluation, all of its input.
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
void linear_dropout_softmax(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++) {
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      y[i][j] = s;
      if (s > top) top = s;
    }
    for (int j = 0; j < N; j++) {
      y[i][j] = expf(y[i][j] - top);
      sum += y[i][j];
    }
    for (int j = 0; j < N; j++) y[i][j] /= sum;
  }
}
