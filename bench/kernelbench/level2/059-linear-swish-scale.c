// level2/59 linear-swish-scale: x, w=matmul.weight, b=matmul.bias -> y
#include <math.h>
#ifndef M
#define M 128
#endif
#ifndef K
#define K 32768
#endif
#ifndef N
#define N 32768
#endif
#define SCALE 2.0f
void linear_swish_scale(const float x[M][K], const float w[N][K], const float b[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s += b[j];
      y[i][j] = s / (1.0f + expf(-s)) * SCALE;
    }
}
