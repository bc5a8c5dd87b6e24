// Images [planes, height, width] by what lies around each pixel; what is outside repeats the edge.
#include <math.h>
#pragma tesela sizes(planes = 64, height = 1024, width = 1024)

static int held(int i, int end) { return i < 0 ? 0 : i >= end ? end - 1 : i; }

void sobel(int planes, int height, int width, const float x[planes][height][width],
           float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        int up = held(i - 1, height), down = held(i + 1, height);
        int left = held(j - 1, width), right = held(j + 1, width);
        float across = x[p][up][right] + 2 * x[p][i][right] + x[p][down][right] -
                       x[p][up][left] - 2 * x[p][i][left] - x[p][down][left];
        float along = x[p][down][left] + 2 * x[p][down][j] + x[p][down][right] -
                      x[p][up][left] - 2 * x[p][up][j] - x[p][up][right];
        y[p][i][j] = sqrtf(across * across + along * along);
      }
}

void laplacian(int planes, int height, int width, const float x[planes][height][width],
           float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++)
        y[p][i][j] = x[p][held(i - 1, height)][j] + x[p][held(i + 1, height)][j] + x[p][i][held(j - 1, width)] +
                     x[p][i][held(j + 1, width)] - 4 * x[p][i][j];
}

void dilate3(int planes, int height, int width, const float x[planes][height][width],
           float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float top = -INFINITY;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++) top = fmaxf(top, x[p][held(i + u, height)][held(j + v, width)]);
        y[p][i][j] = top;
      }
}

void erode3(int planes, int height, int width, const float x[planes][height][width],
           float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float least = INFINITY;
        for (int u = -1; u <= 1; u++)
          for (int v = -1; v <= 1; v++) least = fminf(least, x[p][held(i + u, height)][held(j + v, width)]);
        y[p][i][j] = least;
      }
}

// Weights down times weights across.
void separable_filter5(int planes, int height, int width, const float x[planes][height][width], const float down[5],
                       const float across[5], float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) {
        float sum = 0;
        for (int u = 0; u < 5; u++)
          for (int v = 0; v < 5; v++)
            sum += down[u] * across[v] * x[p][held(i + u - 2, height)][held(j + v - 2, width)];
        y[p][i][j] = sum;
      }
}
