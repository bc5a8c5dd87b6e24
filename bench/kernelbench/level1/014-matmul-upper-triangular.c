// level1/14 matmul-upper-triangular: A, B -> C
#ifndef N
#define N 4096
#endif

/* Both factors are upper triangular, and so is the product: only i <= k <= j contributes. */
void matmul_upper_triangular(const float A[N][N], const float B[N][N], float C[N][N]) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++)
      C[i][j] = 0.0f;
    for (int j = i; j < N; j++) {
      float sum = 0.0f;
      for (int k = i; k <= j; k++)
        sum += A[i][k] * B[k][j];
      C[i][j] = sum;
    }
  }
}
