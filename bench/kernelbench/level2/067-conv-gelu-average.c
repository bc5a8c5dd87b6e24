// level2/67 conv-gelu-average: x, w=conv.weight, b=conv.bias -> y
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
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v / sqrtf(2.0f))); }
void conv_gelu_average(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], float y[N][O]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float sum = 0.0f;
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          sum += gelu(s);
        }
      y[n][o] = sum / (OH * OW);
    }
}
