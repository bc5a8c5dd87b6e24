#pragma tesela sizes(M = 4096, N = 8192, lda = 16384)
void pitch(int M, int N, int lda, const float *a, float *y) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += a[i * lda + 2 * j];
    y[i] = s;
  }
}
