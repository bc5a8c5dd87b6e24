// level1/51 argmax: x -> y
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

void argmax(const float x[N][D1][D2], int y[N][D2]) {
  for (int n = 0; n < N; n++)
    for (int j = 0; j < D2; j++) {
      int best = 0;
      for (int i = 1; i < D1; i++)
        if (x[n][i][j] > x[n][best][j]) best = i;
      y[n][j] = best;
    }
}
