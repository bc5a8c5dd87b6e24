// Images [planes, height, width] at other sizes and smoothed; what is outside repeats the edge.
#include <math.h>
#pragma tesela sizes(planes = 64, height = 1024, width = 1024, rows = 1024, columns = 1024)

static int held(int i, int end) { return i < 0 ? 0 : i >= end ? end - 1 : i; }

// Centres of pixels stay where they are. Places are computed once for each row and column: they are divisions.
void resize_bilinear(int planes, int height, int width, int rows, int columns, const float x[planes][height][width],
                     float y[planes][rows][columns]) {
  float down[rows], across[columns];
  for (int i = 0; i < rows; i++) down[i] = (i + 0.5f) * height / rows - 0.5f;
  for (int j = 0; j < columns; j++) across[j] = (j + 0.5f) * width / columns - 0.5f;
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) {
        float below = floorf(down[i]);
        float left = floorf(across[j]);
        int r = (int)below;
        int c = (int)left;
        float a = down[i] - below;
        float b = across[j] - left;
        y[p][i][j] = (1 - a) * ((1 - b) * x[p][held(r, height)][held(c, width)] +
                                b * x[p][held(r, height)][held(c + 1, width)]) +
                     a * ((1 - b) * x[p][held(r + 1, height)][held(c, width)] +
                          b * x[p][held(r + 1, height)][held(c + 1, width)]);
      }
}

void gaussian_blur5(int planes, int height, int width, const float x[planes][height][width],
                    float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float sum = 0;
        for (int u = -2; u <= 2; u++)
          for (int v = -2; v <= 2; v++) {
            float weight = (u == 0 ? 6 : u * u == 1 ? 4 : 1) * (v == 0 ? 6 : v * v == 1 ? 4 : 1);
            sum += weight * x[p][held(i + u, height)][held(j + v, width)];
          }
        y[p][i][j] = sum / 256;
      }
}
