// level2/62 linear-group-norm-leaky-relu-sum: x, w=fc.weight, b=fc.bias, gamma=gn.weight, beta=gn.bias -> y
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
#ifndef G
#define G 512
#endif
#define R (N / G)
#define EPS 1e-5f
#define SLOPE 0.01f
void linear_group_norm_leaky_relu_sum(const float x[M][K], const float w[N][K], const float b[N], const float gamma[N],
                                      const float beta[N], float y[M][N]) {
  for (int i = 0; i < M; i++)
    for (int g = 0; g < G; g++) {
      float t[R], mean = 0.0f, var = 0.0f;
      for (int r = 0; r < R; r++) {
        float s = b[g * R + r];
        for (int k = 0; k < K; k++) s += x[i][k] * w[g * R + r][k];
        t[r] = s;
        mean += s;
      }
      mean /= R;
      for (int r = 0; r < R; r++) var += (t[r] - mean) * (t[r] - mean);
      var /= R;
      for (int r = 0; r < R; r++) {
        float v = (t[r] - mean) / sqrtf(var + EPS) * gamma[g * R + r] + beta[g * R + r];
        if (v < 0.0f) v *= SLOPE;
        y[i][g * R + r] = v + v;
      }
    }
}
