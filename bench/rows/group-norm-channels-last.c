#include <math.h>
#pragma tesela sizes(N = 16, S = 4096)
void group_norm_channels_last(int N, int S, const float x[N][S][32][8], float y[N][S][32][8]) {
  for (int n = 0; n < N; n++) for (int g = 0; g < 32; g++) {
    float m = 0, v = 0;
    for (int s = 0; s < S; s++) for (int c = 0; c < 8; c++) m += x[n][s][g][c];
    m /= S * 8;
    for (int s = 0; s < S; s++) for (int c = 0; c < 8; c++) {
      float d = x[n][s][g][c] - m;
      v += d * d;
    }
    v /= S * 8;
    for (int s = 0; s < S; s++) for (int c = 0; c < 8; c++) y[n][s][g][c] = (x[n][s][g][c] - m) / sqrtf(v + 1e-5f);
  }
}
