#pragma tesela sizes(n = 4096, t = 64)
void life(int n, int t, int *a, int *b) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) {
      int c = a[(i-1)*n+j-1]+a[(i-1)*n+j]+a[(i-1)*n+j+1]+a[i*n+j-1]+a[i*n+j+1]+a[(i+1)*n+j-1]+a[(i+1)*n+j]+a[(i+1)*n+j+1];
      b[i*n+j] = c == 3 || (c == 2 && a[i*n+j]);
    }
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) a[i*n+j] = b[i*n+j];
  }
}
