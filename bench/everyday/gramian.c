#pragma tesela sizes(n = 65536, m = 256)
void gramian(int n, int m, const float *x, float *g) {
  for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < n; k++) s += x[k*m+i]*x[k*m+j];
    g[i*m+j] = s;
  }
}
