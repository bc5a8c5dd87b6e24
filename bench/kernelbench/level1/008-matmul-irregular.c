// level1/8 matmul-irregular: a, b -> c
#ifndef M
#define M 8205
#endif
#ifndef K
#define K 2949
#endif
#ifndef N
#define N 5921
#endif

void matmul_irregular(const float *a, const float *b, float *c) {
  for (int row = 0; row < M; row++) {
    for (int col = 0; col < N; col++) {
      float sum = 0.0f;
      for (int k = 0; k < K; k++)
        sum += a[row * K + k] * b[k * N + col];
      c[row * N + col] = sum;
    }
  }
}
