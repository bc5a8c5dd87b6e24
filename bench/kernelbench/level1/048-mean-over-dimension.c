// level1/48 mean-over-dimension: x -> y
#ifndef N
#define N 128
#endif
#ifndef D1
#define D1 4096
#endif
#ifndef D2
#define D2 4095
#endif

/* Walks through memory in order and adds whole rows. */
void mean_over_dimension(const float x[N][D1][D2], float y[N][D2]) {
  for (int n = 0; n < N; n++) {
    for (int j = 0; j < D2; j++) y[n][j] = 0.0f;
    for (int i = 0; i < D1; i++)
      for (int j = 0; j < D2; j++)
        y[n][j] += x[n][i][j];
    for (int j = 0; j < D2; j++) y[n][j] /= D1;
  }
}
