// level1/38 l1-norm: x -> y
#include <math.h>
#ifndef N
#define N 32768
#endif
#ifndef DIM
#define DIM 65535
#endif

void l1_norm(const float x[N][DIM], float y[N][DIM]) {
  for (int i = 0; i < N; i++) {
    float sum = 0.0f;
    for (int j = 0; j < DIM; j++) sum += fabsf(x[i][j]);
    float mean = sum / DIM;
    for (int j = 0; j < DIM; j++) y[i][j] = x[i][j] / mean;
  }
}
