// level1/60 conv-3d-3x5x7: x, w=conv3d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 3
#endif
#ifndef CO
#define CO 64
#endif
#ifndef D
#define D 64
#endif
#ifndef H
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define KD 3
#define KH 5
#define KW 7
#define OD (D - KD + 1)
#define OH (H - KH + 1)
#define OW (W - KW + 1)

void conv_3d_3x5x7(const float x[N][CI][D][H][W], const float w[CO][CI][KD][KH][KW], float y[N][CO][OD][OH][OW]) {
  for (int n = 0; n < N; ++n)
    for (int o = 0; o < CO; ++o)
      for (int d = 0; d < OD; ++d)
        for (int i = 0; i < OH; ++i)
          for (int j = 0; j < OW; ++j) {
            y[n][o][d][i][j] = 0.0f;
            for (int c = 0; c < CI; ++c)
              for (int kd = 0; kd < KD; ++kd)
                for (int kh = 0; kh < KH; ++kh)
                  for (int kw = 0; kw < KW; ++kw)
                    y[n][o][d][i][j] += x[n][c][d + kd][i + kh][j + kw] * w[o][c][kd][kh][kw];
          }
}
