// level2/26 conv-transpose3d-add-hard-swish: x, addend, w=conv_transpose.weight, b=conv_transpose.bias -> y
#include <math.h>
#ifndef N
#define N 128
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
#define H 16
#endif
#ifndef W
#define W 16
#endif
#define K 3
#define S 2
#define P 1
#define OD (D * S)
#define OH (H * S)
#define OW (W * S)
static float hard_swish(float v) { return v * fminf(fmaxf(v + 3.0f, 0.0f), 6.0f) / 6.0f; }
void conv_transpose3d_add_hard_swish(const float x[N][C][D][H][W], const float addend[N][O][OD][OH][OW],
                                     const float w[C][O][K][K][K], const float b[O], float y[N][O][OD][OH][OW]) {
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
                    if (f < 0 || f >= D || p < 0 || p >= H || q < 0 || q >= W) continue;
                    s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            s += addend[n][o][d][i][j];
            y[n][o][d][i][j] = s * hard_swish(s);
          }
}
