// Windows of images reduced to one number.
#include <math.h>
#pragma tesela sizes(planes = 1024, height = 256, width = 256, n = 65536)

void max_pool2(int planes, int height, int width, const float x[planes][2 * height][2 * width],
               float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float top = x[p][2 * i][2 * j];
        top = fmaxf(top, x[p][2 * i][2 * j + 1]);
        top = fmaxf(top, x[p][2 * i + 1][2 * j]);
        y[p][i][j] = fmaxf(top, x[p][2 * i + 1][2 * j + 1]);
      }
}

void average_pool2(int planes, int height, int width, const float x[planes][2 * height][2 * width],
                   float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++)
        y[p][i][j] = (x[p][2 * i][2 * j] + x[p][2 * i][2 * j + 1] + x[p][2 * i + 1][2 * j] +
                      x[p][2 * i + 1][2 * j + 1]) / 4;
}

void max_pool3(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][height - 2][width - 2]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height - 2; i++)
      for (int j = 0; j < width - 2; j++) {
        float top = -INFINITY;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++) top = fmaxf(top, x[p][i + u][j + v]);
        y[p][i][j] = top;
      }
}

void global_average_pool(int planes, int n, const float x[planes][n], float y[planes]) {
  for (int p = 0; p < planes; p++) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[p][i];
    y[p] = sum / n;
  }
}
