// Matrix product with the second factor transposed: C = A Bᵀ, C is n × m.
#pragma tesela sizes(n = 4096, m = 4096, p = 4096)

void gemm_nt(int n, int m, int p, const float *A, const float *B, float *C) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      float sum = 0;
      for (int k = 0; k < p; ++k)
        sum += A[i * p + k] * B[j * p + k];
      C[i * m + j] = sum;
    }
}
