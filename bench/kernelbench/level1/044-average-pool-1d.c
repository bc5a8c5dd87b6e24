// level1/44 average-pool-1d: x -> y
#ifndef N
#define N 64
#endif
#ifndef C
#define C 128
#endif
#ifndef L
#define L 65536
#endif
#define K 8
#define PAD 4
#define LO (L + 2 * PAD - K + 1)

static int imax(int a, int b) { return a > b ? a : b; }
static int imin(int a, int b) { return a < b ? a : b; }

/* Padding counts as zeros. */
void average_pool_1d(const float x[N][C][L], float y[N][C][LO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < LO; i++) {
        int first = imax(i - PAD, 0), last = imin(i - PAD + K, L);
        float sum = 0.0f;
        for (int p = first; p < last; p++)
          sum += x[n][c][p];
        y[n][c][i] = sum / K;
      }
}
