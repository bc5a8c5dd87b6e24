// level1/99 triplet-margin-loss: anchor, positive, negative -> loss
#include <math.h>
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 8192
#endif
#define MARGIN 1.0f
#define EPS 1e-6f

static float distance(const float *a, const float *b) {
  float sum = 0.0f;
  for (int j = 0; j < L; j++) {
    float d = a[j] - b[j] + EPS;
    sum += d * d;
  }
  return sqrtf(sum);
}

void triplet_margin_loss(const float anchor[N][L], const float positive[N][L], const float negative[N][L],
                         float loss[1]) {
  float total = 0.0f;
  for (int i = 0; i < N; i++)
    total += fmaxf(distance(anchor[i], positive[i]) - distance(anchor[i], negative[i]) + MARGIN, 0.0f);
  loss[0] = total / N;
}
