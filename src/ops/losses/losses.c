// What predictions are worse than what was asked for.
#include <math.h>
#pragma tesela sizes(rows = 4096, n = 4096)

void cross_entropy(int rows, int n, const float x[rows][n], const int label[rows], float loss[rows]) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY;
    for (int i = 0; i < n; i++) top = fmaxf(top, x[r][i]);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(x[r][i] - top);
    loss[r] = logf(sum) + top - x[r][label[r]];
  }
}

void squared_error(int rows, int n, const float x[rows][n], const float target[rows][n], float loss[rows]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += (x[r][i] - target[r][i]) * (x[r][i] - target[r][i]);
    loss[r] = sum / n;
  }
}

void huber_loss(int rows, int n, const float x[rows][n], const float target[rows][n], float delta, float loss[rows]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++) {
      float far = fabsf(x[r][i] - target[r][i]);
      sum += far < delta ? 0.5f * far * far : delta * (far - 0.5f * delta);
    }
    loss[r] = sum / n;
  }
}

void kl_divergence(int rows, int n, const float x[rows][n], const float target[rows][n], float loss[rows]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += target[r][i] > 0 ? target[r][i] * (logf(target[r][i]) - x[r][i]) : 0;
    loss[r] = sum;
  }
}

void binary_cross_entropy(int rows, int n, const float x[rows][n], const float target[rows][n], float loss[rows]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++)
      sum += fmaxf(x[r][i], 0) - x[r][i] * target[r][i] + logf(1 + expf(-fabsf(x[r][i])));
    loss[r] = sum / n;
  }
}
