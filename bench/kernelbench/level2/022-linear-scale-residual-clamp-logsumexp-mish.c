// level2/22 linear-scale-residual-clamp-logsumexp-mish: x, w=matmul.weight, b=matmul.bias -> y
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
#define SCALE 2.0f
#define LOW -10.0f
#define HIGH 10.0f
static float softplus(float v) { return v > 20.0f ? v : logf(1.0f + expf(v)); }
void linear_scale_residual_clamp_logsumexp_mish(const float x[M][K], const float w[N][K], const float b[N],
                                                float y[M]) {
  for (int i = 0; i < M; i++) {
    float row[N];
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += x[i][k] * w[j][k];
      s = (s + b[j]) * SCALE;
      s = s + s;
      row[j] = fminf(fmaxf(s, LOW), HIGH);
    }
    float top = row[0];
    for (int j = 1; j < N; j++)
      if (row[j] > top) top = row[j];
    float sum = 0.0f;
    for (int j = 0; j < N; j++) sum += expf(row[j] - top);
    float l = logf(sum) + top;
    y[i] = l * (l * tanhf(softplus(l)));
  }
}
