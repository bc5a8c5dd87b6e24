#pragma tesela sizes(n = 2048, d = 64, scale = 0.125)
void attention(int n, int d, float scale, const float *q, const float *k, const float *v, float *s, float *o) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    float a = 0;
    for (int t = 0; t < d; t++) a += q[i*d+t]*k[j*d+t];
    s[i*n+j] = a*scale;
  }
  for (int i = 0; i < n; i++) {
    float m = s[i*n];
    for (int j = 1; j < n; j++) m = fmaxf(m, s[i*n+j]);
    float z = 0;
    for (int j = 0; j < n; j++) {
      s[i*n+j] = expf(s[i*n+j]-m);
      z += s[i*n+j];
    }
    for (int j = 0; j < n; j++) s[i*n+j] /= z;
  }
  for (int i = 0; i < n; i++) for (int t = 0; t < d; t++) {
    float a = 0;
    for (int j = 0; j < n; j++) a += s[i*n+j]*v[j*d+t];
    o[i*d+t] = a;
  }
}
