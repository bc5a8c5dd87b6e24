// Sum of every column of a matrix.
#pragma tesela sizes(n = 16384, m = 16384)

void colsum(int n, int m, const float *A, float *y) {
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int i = 0; i < n; i++)
      s += A[i * m + j];
    y[j] = s;
  }
}
