// level2/14 gemm-divide-sum-scale: x, weight=weight -> y
#ifndef M
#define M 1024
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 8192
#endif
#define SCALE 1.5f
void gemm_divide_sum_scale(const float x[M][K], const float weight[N][K], float y[M]) {
  for (int i = 0; i < M; i++) {
    float total = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += x[i][k] * weight[j][k];
      total += s / 2.0f;
    }
    y[i] = total * SCALE;
  }
}
