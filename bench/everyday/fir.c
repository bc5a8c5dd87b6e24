#pragma tesela sizes(n = 16777216, k = 129)
void fir(int n, int k, const float *x, const float *h, float *y) {
  for (int i = 0; i < n - k + 1; i++) {
    float s = 0;
    for (int j = 0; j < k; j++) s += h[j]*x[i+j];
    y[i] = s;
  }
}
