// Many independent matrix products.
#pragma tesela sizes(batch = 512, n = 256, m = 256, p = 256)

void batched_gemm(int batch, int n, int m, int p, const float *A, const float *B, float *C) {
  for (int b = 0; b < batch; b++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++)
          acc += A[(b * n + i) * p + k] * B[(b * p + k) * m + j];
        C[(b * n + i) * m + j] = acc;
      }
}
