#pragma tesela sizes(n = 1024)
void cholesky(int n, float *a) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) a[i*n+j] -= a[i*n+k]*a[j*n+k];
      a[i*n+j] /= a[j*n+j];
    }
    for (int k = 0; k < i; k++) a[i*n+i] -= a[i*n+k]*a[i*n+k];
    a[i*n+i] = sqrtf(a[i*n+i]);
  }
}
