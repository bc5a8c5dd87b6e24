// Sum of a vector.
#pragma tesela sizes(n = 134217728)

float sum(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}
