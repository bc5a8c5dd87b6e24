// level1/47 sum-over-dimension: x -> y
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

void sum_over_dimension(const float x[N][D1][D2], float y[N][1][D2]) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < D2; j++) {
      float s = 0.0f;
      for (int i = 0; i < D1; i++) s += x[n][i][j];
      y[n][0][j] = s;
    }
}
