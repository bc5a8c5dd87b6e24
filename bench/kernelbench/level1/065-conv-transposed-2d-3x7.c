// level1/65 conv-transposed-2d-3x7: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 512
#endif
#ifndef W
#define W 512
#endif
#define KH 3
#define KW 7
#define HO (H + KH - 1)
#define WO (W + KW - 1)

static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

void conv_transposed_2d_3x7(const float x[N][CI][H][W], const float w[CI][CO][KH][KW], float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int c = 0; c < CI; c++)
            for (int u = max(0, i - H + 1); u < min(KH, i + 1); u++)
              for (int v = max(0, j - W + 1); v < min(KW, j + 1); v++)
                sum += x[n][c][i - u][j - v] * w[c][o][u][v];
          y[n][o][i][j] = sum;
        }
}
