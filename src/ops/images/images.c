// Images [planes, height, width], and pixels of three channels next to each other.
#include <math.h>
#pragma tesela sizes(planes = 64, height = 1024, width = 1024, n = 16777216)

void rgb_to_gray(int n, const float rgb[n][3], float gray[n]) {
  for (int i = 0; i < n; i++) gray[i] = 0.299f * rgb[i][0] + 0.587f * rgb[i][1] + 0.114f * rgb[i][2];
}

void box_blur3(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float sum = 0;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++) {
            int r = i + u < 0 ? 0 : i + u >= height ? height - 1 : i + u;
            int c = j + v < 0 ? 0 : j + v >= width ? width - 1 : j + v;
            sum += x[p][r][c];
          }
        y[p][i][j] = sum / 9;
      }
}

void upsample2(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][2 * height][2 * width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < 2 * height; i++)
      for (int j = 0; j < 2 * width; j++) y[p][i][j] = x[p][i / 2][j / 2];
}
