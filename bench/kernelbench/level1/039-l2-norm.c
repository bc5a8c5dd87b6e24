// level1/39 l2-norm: x -> y
#include <math.h>
#ifndef N
#define N 32768
#endif
#ifndef DIM
#define DIM 65535
#endif

void l2_norm(const float *x, float *y) {
  for (int i = 0; i < N; i++) {
    const float *row = x + i * DIM;
    float *out = y + i * DIM;
    float sum = 0.0f;
    for (int j = 0; j < DIM; j++) sum += row[j] * row[j];
    float norm = sqrtf(sum);
    for (int j = 0; j < DIM; j++) out[j] = row[j] / norm;
  }
}
