// level2/58 conv-transpose3d-logsumexp-swish-subtract-clamp: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
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
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
void conv_transpose3d_logsumexp_swish_subtract_clamp(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                     const float b[O], const float bias[1],
                                                     float y[N][1][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int d = 0; d < OD; d++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float t[O];
          for (int o = 0; o < O; o++) {
            t[o] = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f < 0 || p < 0 || q < 0) continue;
                    if (f % S != 0 || p % S != 0 || q % S != 0) continue;
                    f /= S;
                    p /= S;
                    q /= S;
                    if (f >= D || p >= H || q >= W) continue;
                    t[o] += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
          }
          float top = t[0], sum = 0.0f;
          for (int o = 1; o < O; o++) top = fmaxf(top, t[o]);
          for (int o = 0; o < O; o++) sum += expf(t[o] - top);
          float l = top + logf(sum);
          float z = l / (1.0f + expf(-(l + 3.0f))) / 6.0f - bias[0];
          y[n][0][d][i][j] = fminf(fmaxf(z, -1.0f), 1.0f);
        }
}
