// Inner product of two vectors.
#pragma tesela sizes(n = 134217728)

float dot(int n, const float *x, const float *y) {
  float s = 0.0;
  for (int i = n - 1; i >= 0; --i)
    s = s + x[i] * y[i];
  return s;
}
