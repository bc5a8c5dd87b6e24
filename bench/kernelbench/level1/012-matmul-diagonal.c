// level1/12 matmul-diagonal: d, B -> C
#ifndef N
#define N 4096
#endif
#ifndef M
#define M 4096
#endif

void matmul_diagonal(const float d[N], const float B[N][M], float C[N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      C[i][j] = d[i] * B[i][j];
}
