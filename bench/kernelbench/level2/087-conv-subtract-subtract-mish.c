// level2/87 conv-subtract-subtract-mish: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 64
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define SUBTRACT1 0.5f
#define SUBTRACT2 0.2f
void conv_subtract_subtract_mish(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                 float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          s -= SUBTRACT1;
          s -= SUBTRACT2;
          float p = s > 20.0f ? s : log1pf(expf(s));
          y[n][o][i][j] = s * tanhf(p);
        }
}
