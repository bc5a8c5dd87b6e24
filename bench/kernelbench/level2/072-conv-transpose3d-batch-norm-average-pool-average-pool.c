// level2/72 conv-transpose3d-batch-norm-average-pool-average-pool: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=batch_norm.weight, beta=batch_norm.bias -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 3
#endif
#ifndef O
#define O 16
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
#define K 3
#define S 2
#define P 1
#define EPS 1e-5f
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
#define D1 (OD / 2)
#define H1 (OH / 2)
#define W1 (OW / 2)
#define D2 (D1 / 2)
#define H2 (H1 / 2)
#define W2 (W1 / 2)
void conv_transpose3d_batch_norm_average_pool_average_pool(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                           const float b[O], const float gamma[O],
                                                           const float beta[O], float y[N][O][D2][H2][W2]) {
  float t[N][O][OD][OH][OW];
  float half[N][O][D1][H1][W1];
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
                    if (f < 0 || f % S || f / S >= D || p < 0 || p % S || p / S >= H || q < 0 || q % S || q / S >= W)
                      continue;
                    s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
            t[n][o][d][i][j] = s;
          }
  for (int o = 0; o < O; o++) {
    float mean = 0.0f, var = 0.0f;
    for (int n = 0; n < N; n++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) mean += t[n][o][d][i][j];
    mean /= (float)N * OD * OH * OW;
    for (int n = 0; n < N; n++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float e = t[n][o][d][i][j] - mean;
            var += e * e;
          }
    var /= (float)N * OD * OH * OW;
    for (int n = 0; n < N; n++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++)
            t[n][o][d][i][j] = (t[n][o][d][i][j] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
  }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D1; d++)
        for (int i = 0; i < H1; i++)
          for (int j = 0; j < W1; j++) {
            float s = 0.0f;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) s += t[n][o][2 * d + r][2 * i + u][2 * j + v];
            half[n][o][d][i][j] = s / 8;
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D2; d++)
        for (int i = 0; i < H2; i++)
          for (int j = 0; j < W2; j++) {
            float s = 0.0f;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) s += half[n][o][2 * d + r][2 * i + u][2 * j + v];
            y[n][o][d][i][j] = s / 8;
          }
}
