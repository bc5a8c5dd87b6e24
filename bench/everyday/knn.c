#pragma tesela sizes(n = 4096, m = 4096, d = 64)
void knn(int n, int m, int d, const float *a, const float *b, float *dist) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = 0; k < d; k++) {
      float e = a[i*d+k]-b[j*d+k];
      s += e*e;
    }
    dist[i*m+j] = sqrtf(s);
  }
}
