// level1/31 elu: x -> y
#include <math.h>
#ifndef N
#define N 4096
#endif
#ifndef DIM
#define DIM 393216
#endif
#define ALPHA 1.0f

void elu(const float x[N][DIM], float y[N][DIM]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < DIM; j++)
      y[i][j] = x[i][j] > 0.0f ? x[i][j] : ALPHA * expm1f(x[i][j]);
}
