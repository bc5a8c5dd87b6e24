// level2/28 linear-instance-norm-add-multiply: x, z, w=bmm.weight, b=bmm.bias -> y
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
#define EPS 1e-5f
void linear_instance_norm_add_multiply(const float x[M][K], const float z[M][N], const float w[N][K], const float b[N],
                                       float y[M][N]) {
  for (int i = 0; i < M; i++) {
    float t[N];
    float mean = 0.0f, var = 0.0f;
    for (int j = 0; j < N; j++) {
      float s = b[j];
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      t[j] = s;
      mean += s;
    }
    mean /= N;
    for (int j = 0; j < N; j++) {
      float d = t[j] - mean;
      var += d * d;
    }
    var /= N;
    for (int j = 0; j < N; j++) {
      float v = (t[j] - mean) / sqrtf(var + EPS);
      y[i][j] = (v + z[i][j]) * z[i][j];
    }
  }
}
