// level1/95 cross-entropy: prediction, target -> loss
#include <math.h>
#ifndef N
#define N 32768
#endif
#ifndef C
#define C 4096
#endif

void cross_entropy(const float prediction[N][C], const long long target[N], float *loss) {
  float total = 0.0f;
  for (int i = 0; i < N; i++) {
    float max = prediction[i][0];
    for (int c = 1; c < C; c++) max = fmaxf(max, prediction[i][c]);
    float sum = 0.0f;
    for (int c = 0; c < C; c++) sum += expf(prediction[i][c] - max);
    total += max + logf(sum) - prediction[i][target[i]];
  }
  *loss = total / N;
}
