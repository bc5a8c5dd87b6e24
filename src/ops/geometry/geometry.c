// Distances between vectors.
#include <math.h>
#pragma tesela sizes(m = 4096, n = 4096, d = 256, rows = 16384)

void distances(int m, int n, int d, const float a[m][d], const float b[n][d], float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < d; k++) sum += (a[i][k] - b[j][k]) * (a[i][k] - b[j][k]);
      y[i][j] = sqrtf(sum);
    }
}

void manhattan_distances(int m, int n, int d, const float a[m][d], const float b[n][d], float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < d; k++) sum += fabsf(a[i][k] - b[j][k]);
      y[i][j] = sum;
    }
}

void cosine_similarity(int rows, int n, const float a[rows][n], const float b[rows][n], float epsilon, float y[rows]) {
  for (int r = 0; r < rows; r++) {
    float dot = 0, left = 0, right = 0;
    for (int i = 0; i < n; i++) {
      dot += a[r][i] * b[r][i];
      left += a[r][i] * a[r][i];
      right += b[r][i] * b[r][i];
    }
    y[r] = dot / fmaxf(sqrtf(left) * sqrtf(right), epsilon);
  }
}
