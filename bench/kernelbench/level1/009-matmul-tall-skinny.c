// level1/9 matmul-tall-skinny: A, B -> C
#ifndef M
#define M 32768
#endif
#ifndef N
#define N 32
#endif

/* An outer-product shape: the inner dimension is the short one. */
void matmul_tall_skinny(const float A[M][N], const float B[N][M], float C[M][M]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      C[i][j] = 0.0f;
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
