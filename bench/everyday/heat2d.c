#pragma tesela sizes(n = 4096, t = 100)
void heat2d(int n, int t, float *a, float *b) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) b[i*n+j] = a[i*n+j] + 0.1f*(a[(i-1)*n+j]+a[(i+1)*n+j]+a[i*n+j-1]+a[i*n+j+1]-4*a[i*n+j]);
    float *p = a;
    a = b;
    b = p;
  }
}
