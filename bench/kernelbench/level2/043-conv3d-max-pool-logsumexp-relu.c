// level2/43 conv3d-max-pool-logsumexp-relu: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 4
#endif
#ifndef C
#define C 32
#endif
#ifndef O
#define O 64
#endif
#ifndef D
#define D 32
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define PAD 1
#define PD (D / 2)
#define PH (H / 2)
#define PW (W / 2)
void conv3d_max_pool_logsumexp_relu(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                                    float y[N][PD][PH][PW]) {
  float t[N][O][D][H][W];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D; d++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++) {
                int f = d + r - PAD;
                if (f < 0 || f >= D) continue;
                for (int u = 0; u < K; u++) {
                  int p = i + u - PAD;
                  if (p < 0 || p >= H) continue;
                  for (int v = 0; v < K; v++) {
                    int q = j + v - PAD;
                    if (q < 0 || q >= W) continue;
                    s += x[n][c][f][p][q] * w[o][c][r][u][v];
                  }
                }
              }
            t[n][o][d][i][j] = s;
          }
  for (int n = 0; n < N; n++)
    for (int d = 0; d < PD; d++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++) {
          float m[O], top = -INFINITY, sum = 0.0f;
          for (int o = 0; o < O; o++) {
            m[o] = -INFINITY;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) m[o] = fmaxf(m[o], t[n][o][2 * d + r][2 * i + u][2 * j + v]);
            top = fmaxf(top, m[o]);
          }
          for (int o = 0; o < O; o++) sum += expf(m[o] - top);
          y[n][d][i][j] = fmaxf(logf(sum) + top, 0.0f);
        }
}
