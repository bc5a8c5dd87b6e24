// level2/53 linear-scale-hardtanh-gelu: x, w=gemm.weight, b=gemm.bias -> y
#include <math.h>
#ifndef BATCH
#define BATCH 2048
#endif
#ifndef IN
#define IN 8192
#endif
#ifndef OUT
#define OUT 8192
#endif
#define SCALE 0.5f
#define MIN -2.0f
#define MAX 2.0f
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }
void linear_scale_hardtanh_gelu(const float x[BATCH][IN], const float w[OUT][IN], const float b[OUT],
                                float y[BATCH][OUT]) {
  for (int n = 0; n < BATCH; n++)
    for (int o = 0; o < OUT; o++) {
      float s = b[o];
      for (int k = 0; k < IN; k++) s += x[n][k] * w[o][k];
      s *= SCALE;
      if (s < MIN)
        s = MIN;
      else if (s > MAX)
        s = MAX;
      y[n][o] = gelu(s);
    }
}
