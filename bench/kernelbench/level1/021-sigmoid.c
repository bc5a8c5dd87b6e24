// level1/21 sigmoid: x -> y
#include <math.h>
#ifndef N
#define N 4096
#endif
#ifndef DIM
#define DIM 393216
#endif

void sigmoid(const float *x, float *y) {
  for (int i = 0; i < N * DIM; i++)
    y[i] = 1.0f / (1.0f + expf(-x[i]));
}
