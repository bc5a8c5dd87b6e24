// level1/88 gelu-tanh: x -> y
#include <math.h>
#ifndef N
#define N 8192
#endif
#ifndef DIM
#define DIM 8192
#endif

void gelu_tanh(const float x[N][DIM], float y[N][DIM]) {
  const float c = sqrtf(2.0f / 3.14159265358979f);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < DIM; j++) {
      float v = x[i][j];
      y[i][j] = 0.5f * v * (1.0f + tanhf(c * (v + 0.044715f * powf(v, 3.0f))));
    }
}
