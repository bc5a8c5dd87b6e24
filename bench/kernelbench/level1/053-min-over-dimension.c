// level1/53 min-over-dimension: x -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

void min_over_dimension(const float *x, float *y) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < D2; j++) {
      float m = INFINITY;
      for (int i = 0; i < D1; i++)
        m = fminf(m, x[(n * D1 + i) * D2 + j]);
      y[n * D2 + j] = m;
    }
}
