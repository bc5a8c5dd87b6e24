#pragma tesela sizes(n = 32, c = 256, s = 3136)
void batchnorm(int n, int c, int s, const float *x, float *mean, float *var, float *y) {
  for (int k = 0; k < c; k++) {
    float a = 0;
    for (int i = 0; i < n; i++) for (int p = 0; p < s; p++) a += x[(i*c+k)*s+p];
    mean[k] = a / (n*s);
  }
  for (int k = 0; k < c; k++) {
    float a = 0;
    for (int i = 0; i < n; i++) for (int p = 0; p < s; p++) {
      float d = x[(i*c+k)*s+p] - mean[k];
      a += d*d;
    }
    var[k] = a / (n*s);
  }
  for (int i = 0; i < n; i++) for (int k = 0; k < c; k++) for (int p = 0; p < s; p++) y[(i*c+k)*s+p] = (x[(i*c+k)*s+p] - mean[k]) / sqrtf(var[k] + 1e-5f);
}
