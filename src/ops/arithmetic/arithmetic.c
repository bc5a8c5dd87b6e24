// Comparisons as values, random numbers.
#include <math.h>
#pragma tesela sizes(n = 16777216)

void less(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] < b[i];
}

void less_equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] <= b[i];
}

void equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] == b[i];
}

void greater(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] > b[i];
}

void greater_equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] >= b[i];
}

void not_equal(int n, const float a[n], const float b[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = a[i] != b[i];
}

void is_nan(int n, const float x[n], unsigned y[n]) {
  for (int i = 0; i < n; i++) y[i] = isnan(x[i]) != 0;
}

void clamp(int n, const float x[n], float least, float most, float y[n]) {
  for (int i = 0; i < n; i++) y[i] = fminf(fmaxf(x[i], least), most);
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
