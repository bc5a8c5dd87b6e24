// level1/6 matmul-large-k: A, B -> C
#ifndef M
#define M 256
#endif
#ifndef N
#define N 256
#endif
#ifndef K
#define K 524288
#endif

void matmul_large_k(const float A[M][K], const float B[K][N], float C[M][N]) {
  int i, j, k;
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++)
      C[i][j] = 0.0f;
  for (k = 0; k < K; k++)
    for (i = 0; i < M; i++)
      for (j = 0; j < N; j++)
        C[i][j] += A[i][k] * B[k][j];
}
