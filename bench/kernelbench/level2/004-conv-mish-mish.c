// level2/4 conv-mish-mish: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#define OH (H - 2)
#define OW (W - 2)
static float softplus(float v) { return v > 20.0f ? v : log1pf(expf(v)); }
static float mish(float v) { return v * tanhf(softplus(v)); }
void conv_mish_mish(const float x[N][C][H][W], const float w[O][C][3][3], const float b[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = mish(mish(s + b[o]));
        }
}
