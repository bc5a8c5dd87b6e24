// level2/98 linear-average-pool-gelu-scale-max: x, w=matmul.weight, b=matmul.bias -> y
#include <math.h>
#ifndef M
#define M 1024
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 8192
#endif
#define POOL 16
#define SCALE 2.0f
void linear_average_pool_gelu_scale_max(const float x[M][K], const float w[N][K], const float b[N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float best = -INFINITY;
    for (int g = 0; g < N / POOL; g++) {
      float mean = 0.0f;
      for (int j = g * POOL; j < (g + 1) * POOL; j++) {
        float s = b[j];
        for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
        mean += s;
      }
      mean /= POOL;
      best = fmaxf(best, 0.5f * mean * (1.0f + erff(mean * 0.70710678f)) * SCALE);
    }
    y[i] = best;
  }
}
