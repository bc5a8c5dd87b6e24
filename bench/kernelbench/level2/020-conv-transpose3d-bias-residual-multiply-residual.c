// level2/20 conv-transpose3d-bias-residual-multiply-residual: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
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
void conv_transpose3d_bias_residual_multiply_residual(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                      const float b[O], const float bias[O],
                                                      float y[N][O][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float t = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int fd = d + P - r, fh = i + P - u, fw = j + P - v;
                    if (fd < 0 || fh < 0 || fw < 0) continue;
                    if (fd % S || fh % S || fw % S) continue;
                    if (fd / S < D && fh / S < H && fw / S < W)
                      t += x[n][c][fd / S][fh / S][fw / S] * w[c][o][r][u][v];
                  }
            float z = t + bias[o];
            z = z + t;
            z = z * t;
            y[n][o][d][i][j] = z + t;
          }
}
