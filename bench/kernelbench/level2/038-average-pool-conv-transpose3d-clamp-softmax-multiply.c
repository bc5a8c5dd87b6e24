// level2/38 average-pool-conv-transpose3d-clamp-softmax-multiply: x, w=conv_transpose.weight, b=conv_transpose.bias, scale=scale -> y
#include <math.h>
#ifndef N
#define N 32
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
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define PD (D / 2)
#define PH (H / 2)
#define PW (W / 2)
#define K 3
#define S 2
#define P 1
#define OP 1
#define OD ((PD - 1) * S - 2 * P + K + OP)
#define OH ((PH - 1) * S - 2 * P + K + OP)
#define OW ((PW - 1) * S - 2 * P + K + OP)
void average_pool_conv_transpose3d_clamp_softmax_multiply(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                          const float b[O], const float scale[O],
                                                          float y[N][O][OD][OH][OW]) {
  float pooled[N][C][PD][PH][PW];
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int d = 0; d < PD; d++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) {
            float s = 0.0f;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) s += x[n][c][2 * d + r][2 * i + u][2 * j + v];
            pooled[n][c][d][i][j] = s / 8.0f;
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f < 0 || f % S || p < 0 || p % S || q < 0 || q % S) continue;
                    f /= S;
                    p /= S;
                    q /= S;
                    if (f < PD && p < PH && q < PW) s += pooled[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            y[n][o][d][i][j] = s < 0.0f ? 0.0f : s > 1.0f ? 1.0f : s;
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float top = -INFINITY, sum = 0.0f;
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) top = fmaxf(top, y[n][o][d][i][j]);
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) sum += expf(y[n][o][d][i][j] - top);
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) y[n][o][d][i][j] = expf(y[n][o][d][i][j] - top) / sum * scale[o];
    }
}
