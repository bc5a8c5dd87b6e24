// level1/49 max-over-dimension: x -> y
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

void max_over_dimension(const float x[N][D1][D2], float y[N][D2]) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < D2; j++) {
      float m = x[n][0][j];
      for (int i = 1; i < D1; i++)
        if (x[n][i][j] > m) m = x[n][i][j];
      y[n][j] = m;
    }
}
