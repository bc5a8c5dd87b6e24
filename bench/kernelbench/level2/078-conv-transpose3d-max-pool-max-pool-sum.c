// level2/78 conv-transpose3d-max-pool-max-pool-sum: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#include <math.h>
#ifndef N
#define N 16
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
#define H 32
#endif
#ifndef W
#define W 32
#endif
#define K 5
#define S 2
#define P 2
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
#define D1 (OD / 2)
#define H1 (OH / 2)
#define W1 (OW / 2)
#define D2 (D1 / 3)
#define H2 (H1 / 3)
#define W2 (W1 / 3)
void conv_transpose3d_max_pool_max_pool_sum(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                            const float b[O], float y[N][1][D2][H2][W2]) {
  float t[N][O][OD][OH][OW];
  float pooled[N][O][D1][H1][W1];
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
                    if (f % S != 0 || p % S != 0 || q % S != 0) continue;
                    f /= S;
                    p /= S;
                    q /= S;
                    if (f >= 0 && f < D && p >= 0 && p < H && q >= 0 && q < W)
                      s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            t[n][o][d][i][j] = s;
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D1; d++)
        for (int i = 0; i < H1; i++)
          for (int j = 0; j < W1; j++) {
            float m = -INFINITY;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++)
                  if (t[n][o][d * 2 + r][i * 2 + u][j * 2 + v] > m) m = t[n][o][d * 2 + r][i * 2 + u][j * 2 + v];
            pooled[n][o][d][i][j] = m;
          }
  for (int n = 0; n < N; n++)
    for (int d = 0; d < D2; d++)
      for (int i = 0; i < H2; i++)
        for (int j = 0; j < W2; j++) {
          float sum = 0.0f;
          for (int o = 0; o < O; o++) {
            float m = -INFINITY;
            for (int r = 0; r < 3; r++)
              for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++)
                  if (pooled[n][o][d * 3 + r][i * 3 + u][j * 3 + v] > m) m = pooled[n][o][d * 3 + r][i * 3 + u][j * 3 + v];
            sum += m;
          }
          y[n][0][d][i][j] = sum;
        }
}
