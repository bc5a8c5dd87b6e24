// What was met so far along rows.
#include <math.h>
#pragma tesela sizes(rows = 4096, width = 4096)

void cumulative_sum(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < width; i++) {
      sum += x[r][i];
      y[r][i] = sum;
    }
  }
}

void cumulative_sum_before(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = 0; i < width; i++) {
      y[r][i] = sum;
      sum += x[r][i];
    }
  }
}

void cumulative_max(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float top = -INFINITY;
    for (int i = 0; i < width; i++) {
      top = fmaxf(top, x[r][i]);
      y[r][i] = top;
    }
  }
}

void cumulative_min(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float least = INFINITY;
    for (int i = 0; i < width; i++) {
      least = fminf(least, x[r][i]);
      y[r][i] = least;
    }
  }
}

void reverse_cumulative_sum(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = width - 1; i >= 0; i--) {
      sum += x[r][i];
      y[r][i] = sum;
    }
  }
}

void cumulative_product(int rows, int width, const float x[rows][width], float y[rows][width]) {
  for (int r = 0; r < rows; r++) {
    float product = 1;
    for (int i = 0; i < width; i++) {
      product *= x[r][i];
      y[r][i] = product;
    }
  }
}
