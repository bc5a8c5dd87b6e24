// level1/16 matmul-transposed-a: A, B -> C
#ifndef M
#define M 2048
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 4096
#endif

void matmul_transposed_a(const float A[K][M], const float B[K][N], float C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float s = 0.0f;
      for (int k = 0; k < K; k++) s += A[k][i] * B[k][j];
      C[i][j] = s;
    }
}
