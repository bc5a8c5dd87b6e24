// level2/100 conv-transpose3d-clamp-divide: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#ifndef N
#define N 16
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef D
#define D 24
#endif
#ifndef H
#define H 48
#endif
#ifndef W
#define W 48
#endif
#define K 3
#define S 2
#define P 1
#define MIN -1.0f
#define DIVISOR 2.0f
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
void conv_transpose3d_clamp_divide(const float x[N][C][D][H][W], const float w[C][O][K][K][K], const float b[O],
                                   float y[N][O][OD][OH][OW]) {
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
                    if (f < 0 || f % S != 0 || p < 0 || p % S != 0 || q < 0 || q % S != 0) continue;
                    f /= S;
                    p /= S;
                    q /= S;
                    if (f < D && p < H && q < W) s += x[n][c][f][p][q] * w[c][o][r][u][v];
                  }
            y[n][o][d][i][j] = (s < MIN ? MIN : s) / DIVISOR;
          }
}
