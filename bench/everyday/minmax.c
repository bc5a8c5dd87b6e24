#pragma tesela sizes(n = 67108864)
void minmax(int n, const float *x, float *out) {
  float a = x[0], b = x[0];
  for (int i = 1; i < n; i++) {
    if (x[i] < a) a = x[i];
    if (x[i] > b) b = x[i];
  }
  out[0] = a;
  out[1] = b;
}
