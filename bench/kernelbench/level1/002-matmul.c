// level1/2 matmul: A, B -> C
#ifndef M
#define M 2048
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 4096
#endif

void matmul(const float *A, const float *B, float *C) {
  for (int i = 0; i < M; i++) {
    for (int j = 0; j < N; j++) {
      C[i * N + j] = 0.0f;
      for (int k = 0; k < K; k++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
    }
  }
}
