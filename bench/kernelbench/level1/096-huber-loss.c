// level1/96 huber-loss: prediction, target -> loss
#include <math.h>
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 32768
#endif

static float huber(float d) {
  d = fabsf(d);
  return d < 1.0f ? 0.5f * d * d : d - 0.5f;
}

void huber_loss(const float *prediction, const float *target, float *loss) {
  float sum = 0.0f;
  for (int i = 0; i < N * L; i++)
    sum += huber(prediction[i] - target[i]);
  *loss = sum / (N * L);
}
