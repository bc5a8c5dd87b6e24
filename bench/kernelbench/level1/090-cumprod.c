// level1/90 cumprod: x -> y
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 32768
#endif

void cumprod(const float x[N][L], float y[N][L]) {
  for (int i = 0; i < N; i++) {
    y[i][0] = x[i][0];
    for (int j = 1; j < L; j++)
      y[i][j] = y[i][j - 1] * x[i][j];
  }
}
