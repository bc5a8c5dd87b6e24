// level1/78 conv-transposed-2d-padded: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 32
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 1024
#endif
#define KH 3
#define KW 7
#define PH 1
#define PW 3

/* Stride 1 with paddings of half a kernel: the output is as large as the input. */
void conv_transposed_2d_padded(const float x[N][CI][H][W], const float w[CI][CO][KH][KW], float y[N][CO][H][W]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < KH; u++)
              for (int v = 0; v < KW; v++) {
                int p = i + PH - u;
                int q = j + PW - v;
                if (p >= 0 && p < H && q >= 0 && q < W)
                  sum += x[n][c][p][q] * w[c][o][u][v];
              }
          y[n][o][i][j] = sum;
        }
}
