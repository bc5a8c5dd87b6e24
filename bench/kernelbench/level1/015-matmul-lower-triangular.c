// level1/15 matmul-lower-triangular: A, B -> C
#ifndef M
#define M 4096
#endif

void matmul_lower_triangular(const float A[M][M], const float B[M][M], float C[M][M]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      float sum = 0.0f;
      if (j <= i)
        for (int k = j; k <= i; k++)
          sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
}
