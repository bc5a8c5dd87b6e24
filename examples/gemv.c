// Matrix times vector: y = alpha A x + beta y.
#pragma tesela sizes(n = 8192, m = 8192, alpha = 1.5, beta = 0.5)

void gemv(int n, int m, float alpha, float beta, const float *A, const float *x, float *y) {
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int j = 0; j < m; j++)
      sum += A[i * m + j] * x[j];
    y[i] = alpha * sum + beta * y[i];
  }
}
