// level1/23 softmax: x -> y
#include <math.h>
#ifndef N
#define N 4096
#endif
#ifndef DIM
#define DIM 393216
#endif

void softmax(const float x[N][DIM], float y[N][DIM]) {
  for (int i = 0; i < N; i++) {
    float max = x[i][0];
    for (int j = 1; j < DIM; j++)
      if (x[i][j] > max) max = x[i][j];
    float sum = 0.0f;
    for (int j = 0; j < DIM; j++) {
      y[i][j] = expf(x[i][j] - max);
      sum += y[i][j];
    }
    for (int j = 0; j < DIM; j++)
      y[i][j] /= sum;
  }
}
