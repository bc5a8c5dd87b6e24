// level1/91 cumsum-reverse: x -> y
#ifndef N
#define N 32768
#endif
#ifndef L
#define L 32768
#endif

void cumsum_reverse(const float x[N][L], float y[N][L]) {
  for (int i = 0; i < N; i++) {
    float sum = 0.0f;
    for (int j = L - 1; j >= 0; j--) {
      sum += x[i][j];
      y[i][j] = sum;
    }
  }
}
