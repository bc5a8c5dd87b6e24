// level2/74 conv-transpose3d-leaky-relu-multiply-leaky-relu-max-pool: x, w=conv_transpose.weight, b=conv_transpose.bias, multiplier=multiplier -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 16
#endif
#ifndef O
#define O 32
#endif
#ifndef D
#define D 16
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
#define SLOPE 0.2f
#define OD (2 * D)
#define OH (2 * H)
#define OW (2 * W)
static float leaky(float v) { return v >= 0.0f ? v : SLOPE * v; }
void conv_transpose3d_leaky_relu_multiply_leaky_relu_max_pool(const float x[N][C][D][H][W],
                                                              const float w[C][O][K][K][K], const float b[O],
                                                              const float multiplier[O], float y[N][O][D][H][W]) {
  float t[N][O][OD][OH][OW];
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
                    if (f < 0 || p < 0 || q < 0) continue;
                    if (f % S != 0 || p % S != 0 || q % S != 0) continue;
                    if (f / S < D && p / S < H && q / S < W) s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
            t[n][o][d][i][j] = leaky(leaky(s) * multiplier[o]);
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D; d++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++) {
            float m = t[n][o][2 * d][2 * i][2 * j];
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) m = fmaxf(m, t[n][o][2 * d + r][2 * i + u][2 * j + v]);
            y[n][o][d][i][j] = m;
          }
}
