// level2/89 conv-transpose3d-max-pool-softmax-subtract-swish-max: x, w=conv_transpose.weight, b=conv_transpose.bias, subtract=subtract -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 3
#endif
#ifndef O
#define O 16
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
static int divides(int a, int n) { return a >= 0 && a % S == 0 && a / S < n; }
void conv_transpose3d_max_pool_softmax_subtract_swish_max(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                          const float b[O], const float subtract[O],
                                                          float y[N][D][H][W]) {
  for (int n = 0; n < N; n++)
    for (int d = 0; d < D; d++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float t[O];
          for (int o = 0; o < O; o++) {
            float m = -INFINITY;
            for (int dd = 0; dd < 2; dd++)
              for (int di = 0; di < 2; di++)
                for (int dj = 0; dj < 2; dj++) {
                  float s = b[o];
                  for (int c = 0; c < C; c++)
                    for (int r = 0; r < K; r++)
                      for (int u = 0; u < K; u++)
                        for (int v = 0; v < K; v++) {
                          int f = 2 * d + dd + P - r, p = 2 * i + di + P - u, q = 2 * j + dj + P - v;
                          if (divides(f, D) && divides(p, H) && divides(q, W))
                            s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                        }
                  m = fmaxf(m, s);
                }
            t[o] = m;
          }
          float top = t[0], sum = 0.0f, best = -INFINITY;
          for (int o = 1; o < O; o++) top = fmaxf(top, t[o]);
          for (int o = 0; o < O; o++) sum += expf(t[o] - top);
          for (int o = 0; o < O; o++) {
            float z = expf(t[o] - top) / sum - subtract[o];
            best = fmaxf(best, z / (1.0f + expf(-z)));
          }
          y[n][d][i][j] = best;
        }
}
