#include <math.h>
#pragma tesela sizes(N = 64, C = 128, S = 4096)
void softmax_of_middle(int N, int C, int S, const float x[N][C][S], float y[N][C][S]) {
  for (int n = 0; n < N; n++) for (int s = 0; s < S; s++) {
    float m = x[n][0][s];
    for (int c = 1; c < C; c++) m = fmaxf(m, x[n][c][s]);
    float t = 0;
    for (int c = 0; c < C; c++) t += expf(x[n][c][s] - m);
    for (int c = 0; c < C; c++) y[n][c][s] = expf(x[n][c][s] - m) / t;
  }
}
