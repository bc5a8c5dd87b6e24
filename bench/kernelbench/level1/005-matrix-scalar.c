// level1/5 matrix-scalar: A -> C
#ifndef M
#define M 65536
#endif
#ifndef N
#define N 16384
#endif
#define S 3.14f

void matrix_scalar(const float A[M][N], float C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = A[i][j] * S;
}
