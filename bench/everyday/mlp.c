#pragma tesela sizes(b = 1024, n = 1024, m = 4096)
void mlp(int b, int n, int m, const float *x, const float *w1, const float *b1, const float *w2, const float *b2, float *h, float *y) {
  for (int i = 0; i < b; i++) for (int j = 0; j < m; j++) {
    float a = b1[j];
    for (int k = 0; k < n; k++) a += x[i*n+k]*w1[j*n+k];
    h[i*m+j] = a > 0 ? a : 0;
  }
  for (int i = 0; i < b; i++) for (int j = 0; j < n; j++) {
    float a = b2[j];
    for (int k = 0; k < m; k++) a += h[i*m+k]*w2[j*m+k];
    y[i*n+j] = a;
  }
}
