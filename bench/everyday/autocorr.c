#pragma tesela sizes(n = 4194304, lags = 64)
void autocorr(int n, int lags, const float *x, float *r) {
  for (int l = 0; l < lags; l++) {
    float s = 0;
    for (int i = 0; i < n - l; i++) s += x[i]*x[i+l];
    r[l] = s;
  }
}
