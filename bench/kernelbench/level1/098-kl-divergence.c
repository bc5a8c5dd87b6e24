// level1/98 kl-divergence: prediction, target -> loss
#include <math.h>
#ifndef N
#define N 16384
#endif
#ifndef L
#define L 16384
#endif

/* Summed over each row, averaged over the batch. */
void kl_divergence(const float prediction[N][L], const float target[N][L], float loss[1]) {
  float sum = 0.0f;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < L; j++)
      if (target[i][j] > 0.0f)
        sum += target[i][j] * (logf(target[i][j]) - logf(prediction[i][j]));
  loss[0] = sum / N;
}
