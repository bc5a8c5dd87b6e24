// level2/45 linear-sigmoid-linear-logsumexp: x, w1=linear1.weight, b1=linear1.bias, w2=linear2.weight, b2=linear2.bias -> y
#include <math.h>
#ifndef BATCH
#define BATCH 16384
#endif
#ifndef IN
#define IN 2048
#endif
#ifndef HIDDEN
#define HIDDEN 4096
#endif
#ifndef OUT
#define OUT 1024
#endif
void linear_sigmoid_linear_logsumexp(const float x[BATCH][IN], const float w1[HIDDEN][IN], const float b1[HIDDEN],
                                     const float w2[OUT][HIDDEN], const float b2[OUT], float y[BATCH]) {
  for (int n = 0; n < BATCH; n++) {
    float h[HIDDEN], z[OUT];
    for (int j = 0; j < HIDDEN; j++) {
      float s = b1[j];
      for (int k = 0; k < IN; k++) s += x[n][k] * w1[j][k];
      h[j] = 1.0f / (1.0f + expf(-s));
    }
    for (int j = 0; j < OUT; j++) {
      float s = b2[j];
      for (int k = 0; k < HIDDEN; k++) s += h[k] * w2[j][k];
      z[j] = s;
    }
    float top = z[0];
    for (int j = 1; j < OUT; j++) top = fmaxf(top, z[j]);
    float sum = 0.0f;
    for (int j = 0; j < OUT; j++) sum += expf(z[j] - top);
    y[n] = top + logf(sum);
  }
}
