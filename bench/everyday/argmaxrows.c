#pragma tesela sizes(n = 16384, m = 4096)
void argmaxrows(int n, int m, const float *x, int *best) {
  for (int i = 0; i < n; i++) {
    int b = 0;
    for (int j = 1; j < m; j++) if (x[i*m+j] > x[i*m+b]) b = j;
    best[i] = b;
  }
}
