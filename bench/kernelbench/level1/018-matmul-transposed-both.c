// level1/18 matmul-transposed-both: A, B -> C
#ifndef M
#define M 2048
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 4096
#endif

void matmul_transposed_both(const float *A, const float *B, float *C) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += A[k * M + i] * B[j * K + k];
      C[i * N + j] = s;
    }
}
