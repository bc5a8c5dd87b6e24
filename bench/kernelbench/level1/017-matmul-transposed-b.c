// level1/17 matmul-transposed-b: A, B -> C
#ifndef M
#define M 2048
#endif
#ifndef K
#define K 8192
#endif
#ifndef N
#define N 4096
#endif

static float dot(const float *a, const float *b) {
  float s = 0.0f;
  for (int k = 0; k < K; k++) s += a[k] * b[k];
  return s;
}

void matmul_transposed_b(const float A[M][K], const float B[N][K], float C[M][N]) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      C[i][j] = dot(A[i], B[j]);
}
