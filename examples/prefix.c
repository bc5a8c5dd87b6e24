// Running sum of a vector.
#pragma tesela sizes(n = 134217728)

void prefix(int n, const float *x, float *y) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    y[i] = s;
  }
}
