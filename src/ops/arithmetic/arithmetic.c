// Comparisons as values, running products, random numbers.
#include <math.h>
#pragma tesela sizes(n = 16777216, rows = 4096, width = 4096)

void less(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] < b[i];
}

void less_equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] <= b[i];
}

void equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] == b[i];
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

static unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0x735a2d97u;
  return x ^ (x >> 15);
}

void random_uniform(int n, unsigned seed, float y[n]) {
  for (int i = 0; i < n; i++) y[i] = (float)(mixed(mixed((unsigned)i) ^ seed) >> 8) / 16777216.0f;
}

void random_normal(int n, unsigned seed, float y[n]) {
  for (int i = 0; i < n; i++) {
    float radius = ((float)(mixed(mixed(2u * (unsigned)i) ^ seed) >> 8) + 1) / 16777216.0f;
    float turn = (float)(mixed(mixed(2u * (unsigned)i + 1u) ^ seed) >> 8) / 16777216.0f;
    y[i] = sqrtf(-2 * logf(radius)) * cosf(6.2831853f * turn);
  }
}
