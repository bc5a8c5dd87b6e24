// level1/10 tensor-matmul-3d: a, b -> c
#ifndef N
#define N 16
#endif
#ifndef M
#define M 1024
#endif
#ifndef K
#define K 2048
#endif
#ifndef L
#define L 768
#endif

void tensor_matmul_3d(const float a[N][M][K], const float b[K][L], float c[N][M][L]) {
  for (int n = 0; n < N; n++)
    for (int m = 0; m < M; m++)
      for (int l = 0; l < L; l++) {
        float s = 0.0f;
        for (int k = 0; k < K; k++) s += a[n][m][k] * b[k][l];
        c[n][m][l] = s;
      }
}
