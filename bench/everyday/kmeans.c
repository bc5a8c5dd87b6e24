#pragma tesela sizes(n = 1048576, d = 16, k = 32)
void kmeans(int n, int d, int k, const float *x, const float *c, int *label) {
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    int b = 0;
    for (int j = 0; j < k; j++) {
      float s = 0;
      for (int t = 0; t < d; t++) {
        float e = x[i*d+t] - c[j*d+t];
        s += e*e;
      }
      if (s < best) {
        best = s;
        b = j;
      }
    }
    label[i] = b;
  }
}
