#pragma tesela sizes(n = 8192, m = 4096)
void softmax(int n, int m, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float mx = x[i*m];
    for (int j = 1; j < m; j++) if (x[i*m+j] > mx) mx = x[i*m+j];
    float s = 0;
    for (int j = 0; j < m; j++) {
      y[i*m+j] = expf(x[i*m+j] - mx);
      s += y[i*m+j];
    }
    for (int j = 0; j < m; j++) y[i*m+j] /= s;
  }
}
