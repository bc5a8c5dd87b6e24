// level1/52 argmin: x -> y
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

void argmin(const float x[N][D1][D2], int y[N][D2]) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < D2; j++) {
      float least = x[n][0][j];
      int at = 0;
      for (int i = 1; i < D1; i++) {
        if (x[n][i][j] < least) {
          least = x[n][i][j];
          at = i;
        }
      }
      y[n][j] = at;
    }
}
