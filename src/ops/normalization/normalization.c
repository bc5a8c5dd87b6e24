// Rows and channels brought to one scale.
#include <math.h>
#pragma tesela sizes(rows = 4096, n = 4096, images = 16, channels = 64, groups = 32, depth = 8, height = 128, width = 128)

void softmax(int rows, int n, const float x[rows][n], float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY;
    for (int i = 0; i < n; i++) top = fmaxf(top, x[r][i]);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(x[r][i] - top);
    for (int i = 0; i < n; i++) y[r][i] = expf(x[r][i] - top) / sum;
  }
}

void log_softmax(int rows, int n, const float x[rows][n], float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY;
    for (int i = 0; i < n; i++) top = fmaxf(top, x[r][i]);
    float sum = 0;
    for (int i = 0; i < n; i++) sum += expf(x[r][i] - top);
    for (int i = 0; i < n; i++) y[r][i] = x[r][i] - top - logf(sum);
  }
}

void layer_norm(int rows, int n, const float x[rows][n], const float gain[n], const float bias[n], float epsilon,
                float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[r][i];
    float mean = sum / n;
    float squares = 0;
    for (int i = 0; i < n; i++) squares += (x[r][i] - mean) * (x[r][i] - mean);
    float scale = 1 / sqrtf(squares / n + epsilon);
    for (int i = 0; i < n; i++) y[r][i] = (x[r][i] - mean) * scale * gain[i] + bias[i];
  }
}

void rms_norm(int rows, int n, const float x[rows][n], const float gain[n], float epsilon, float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float squares = 0;
    for (int i = 0; i < n; i++) squares += x[r][i] * x[r][i];
    float scale = 1 / sqrtf(squares / n + epsilon);
    for (int i = 0; i < n; i++) y[r][i] = x[r][i] * scale * gain[i];
  }
}

void group_norm(int images, int groups, int depth, int n, const float x[images][groups][depth][n],
                const float gain[groups][depth], const float bias[groups][depth], float epsilon,
                float y[images][groups][depth][n]) {
  for (int b = 0; b < images; b++)
    for (int g = 0; g < groups; g++) {
      float sum = 0;
      for (int c = 0; c < depth; c++)
        for (int i = 0; i < n; i++) sum += x[b][g][c][i];
      float mean = sum / (depth * n);
      float squares = 0;
      for (int c = 0; c < depth; c++)
        for (int i = 0; i < n; i++) squares += (x[b][g][c][i] - mean) * (x[b][g][c][i] - mean);
      float scale = 1 / sqrtf(squares / (depth * n) + epsilon);
      for (int c = 0; c < depth; c++)
        for (int i = 0; i < n; i++) y[b][g][c][i] = (x[b][g][c][i] - mean) * scale * gain[g][c] + bias[g][c];
    }
}

void batch_norm(int images, int channels, int n, const float x[images][channels][n], const float mean[channels],
                const float variance[channels], const float gain[channels], const float bias[channels], float epsilon,
                float y[images][channels][n]) {
  for (int b = 0; b < images; b++)
    for (int c = 0; c < channels; c++)
      for (int i = 0; i < n; i++)
        y[b][c][i] = (x[b][c][i] - mean[c]) / sqrtf(variance[c] + epsilon) * gain[c] + bias[c];
}

void l2_normalize(int rows, int n, const float x[rows][n], float epsilon, float y[rows][n]) {
  for (int r = 0; r < rows; r++) {
    float squares = 0;
    for (int i = 0; i < n; i++) squares += x[r][i] * x[r][i];
    float scale = 1 / fmaxf(sqrtf(squares), epsilon);
    for (int i = 0; i < n; i++) y[r][i] = x[r][i] * scale;
  }
}
