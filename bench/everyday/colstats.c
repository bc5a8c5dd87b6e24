#pragma tesela sizes(n = 65536, m = 256)
void colstats(int n, int m, const float *x, float *mean, float *sd) {
  for (int j = 0; j < m; j++) {
    float s = 0, q = 0;
    for (int i = 0; i < n; i++) {
      s += x[i*m+j];
      q += x[i*m+j]*x[i*m+j];
    }
    mean[j] = s/n;
    sd[j] = sqrtf(q/n - (s/n)*(s/n));
  }
}
