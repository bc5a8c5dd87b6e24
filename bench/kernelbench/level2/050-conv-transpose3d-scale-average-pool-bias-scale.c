// level2/50 conv-transpose3d-scale-average-pool-bias-scale: x, w=conv_transpose.weight, b=conv_transpose.bias, scale1=scale1, bias=bias, scale2=scale2 -> y
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
#define PD (OD / 2)
#define PH (OH / 2)
#define PW (OW / 2)
void conv_transpose3d_scale_average_pool_bias_scale(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                    const float b[O], const float scale1[1], const float bias[O],
                                                    const float scale2[1], float y[N][O][PD][PH][PW]) {
  float t[N][O][OD][OH][OW];
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) t[n][o][d][i][j] = b[o];
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int d = 0; d < D; d++)
        for (int i = 0; i < H; i++)
          for (int j = 0; j < W; j++)
            for (int o = 0; o < O; o++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d * S - P + r, p = i * S - P + u, q = j * S - P + v;
                    if (f >= 0 && f < OD && p >= 0 && p < OH && q >= 0 && q < OW)
                      t[n][o][f][p][q] += x[n][c][d][i][j] * w[c][o][r][u][v];
                  }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < PD; d++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) {
            float s = 0.0f;
            for (int r = 0; r < 2; r++)
              for (int u = 0; u < 2; u++)
                for (int v = 0; v < 2; v++) s += t[n][o][2 * d + r][2 * i + u][2 * j + v] * scale1[0];
            y[n][o][d][i][j] = (s / 8.0f + bias[o]) * scale2[0];
          }
}
