// level2/55 linear-max-pool-sum-scale: x, w=matmul.weight, b=matmul.bias -> y
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
#define SCALE 0.5f
void linear_max_pool_sum_scale(const float x[M][K], const float w[N][K], const float b[N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float t[N];
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      t[j] = s;
    }
    float sum = 0.0f;
    for (int j = 0; j < N / 2; j++) sum += fmaxf(t[2 * j], t[2 * j + 1]);
    y[i] = sum * SCALE;
  }
}
