#pragma tesela sizes(n = 1024)
void floyd(int n, float *d) {
  for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) if (d[i*n+k] + d[k*n+j] < d[i*n+j]) d[i*n+j] = d[i*n+k] + d[k*n+j];
}
