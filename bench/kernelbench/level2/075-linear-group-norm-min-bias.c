// level2/75 linear-group-norm-min-bias: x, w=gemm.weight, b=gemm.bias, gamma=group_norm.weight, beta=group_norm.bias, bias=bias -> y
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
void linear_group_norm_min_bias(const float x[M][K], const float w[N][K], const float b[N], const float gamma[N],
                                const float beta[N], const float bias[N], float y[N][M]) {
  for (int i = 0; i < M; i++) {
    float row[N], least = INFINITY;
    for (int j = 0; j < N; j++) {
      row[j] = b[j];
      for (int k = 0; k < K; k++) row[j] += x[i][k] * w[j][k];
    }
    for (int g = 0; g < G; g++) {
      float mean = 0.0f, var = 0.0f;
      for (int j = g * R; j < (g + 1) * R; j++) mean += row[j];
      mean /= R;
      for (int j = g * R; j < (g + 1) * R; j++) var += (row[j] - mean) * (row[j] - mean);
      var /= R;
      for (int j = g * R; j < (g + 1) * R; j++)
        least = fminf(least, (row[j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j]);
    }
    /* a column of results plus a row of biases: everything with everything */
    for (int j = 0; j < N; j++) y[j][i] = least + bias[j];
  }
}
