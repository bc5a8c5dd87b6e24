// level1/7 matmul-small-k: A, B -> C
#ifndef M
#define M 32768
#endif
#ifndef N
#define N 32768
#endif
#ifndef K
#define K 64
#endif

void matmul_small_k(const float A[M][K], const float B[K][N], float C[M][N]) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float t = 0.f;
      for (int k = 0; k < K; ++k) t += A[i][k] * B[k][j];
      C[i][j] = t;
    }
  }
}
