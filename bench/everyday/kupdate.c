#pragma tesela sizes(n = 1048576, d = 16)
void kupdate(int n, int d, const float *x, const int *label, float *sum, int *count) {
  for (int j = 0; j < 32; j++) {
    count[j] = 0;
    for (int t = 0; t < d; t++) sum[j*d+t] = 0;
  }
  for (int i = 0; i < n; i++) {
    int l = label[i] & 31;
    count[l]++;
    for (int t = 0; t < d; t++) sum[l*d+t] += x[i*d+t];
  }
}
