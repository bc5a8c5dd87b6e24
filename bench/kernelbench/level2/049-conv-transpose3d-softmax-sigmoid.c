// level2/49 conv-transpose3d-softmax-sigmoid: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
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
#define OD (2 * D)
#define OH (2 * H)
#define OW (2 * W)
void conv_transpose3d_softmax_sigmoid(const float x[N][C][D][H][W], const float w[C][O][K][K][K], const float b[O],
                                      float y[N][O][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int d = 0; d < OD; d++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float t[O], top = -INFINITY, sum = 0.0f;
          for (int o = 0; o < O; o++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f < 0 || p < 0 || q < 0 || f % S || p % S || q % S) continue;
                    if (f / S >= D || p / S >= H || q / S >= W) continue;
                    s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
            t[o] = s;
            if (s > top) top = s;
          }
          for (int o = 0; o < O; o++) {
            t[o] = expf(t[o] - top);
            sum += t[o];
          }
          for (int o = 0; o < O; o++) y[n][o][d][i][j] = 1.0f / (1.0f + expf(-t[o] / sum));
        }
}
