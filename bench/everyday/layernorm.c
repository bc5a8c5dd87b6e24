#pragma tesela sizes(n = 16384, m = 1024)
void layernorm(int n, int m, const float *x, const float *g, const float *b, float *y) {
  for (int i = 0; i < n; i++) {
    float mu = 0, v = 0;
    for (int j = 0; j < m; j++) mu += x[i*m+j];
    mu /= m;
    for (int j = 0; j < m; j++) {
      float d = x[i*m+j] - mu;
      v += d*d;
    }
    float r = 1.0f / sqrtf(v / m + 1e-5f);
    for (int j = 0; j < m; j++) y[i*m+j] = (x[i*m+j] - mu) * r * g[j] + b[j];
  }
}
