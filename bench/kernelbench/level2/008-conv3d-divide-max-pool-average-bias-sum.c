// level2/8 conv3d-divide-max-pool-average-bias-sum: x, w=conv.weight, b=conv.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 16
#endif
#ifndef D
#define D 16
#endif
#ifndef H
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define K 3
#define DIVISOR 2.0f
#define PD ((D - K + 1) / 2)
#define PH ((H - K + 1) / 2)
#define PW ((W - K + 1) / 2)
void conv3d_divide_max_pool_average_bias_sum(const float x[N][C][D][H][W], const float w[O][C][K][K][K],
                                             const float b[O], const float bias[O], float y[N]) {
  for (int n = 0; n < N; n++) {
    float total = 0.0f;
    for (int o = 0; o < O; o++) {
      float sum = 0.0f;
      for (int d = 0; d < PD; d++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) {
            float top = -INFINITY;
            for (int dd = 0; dd < 2; dd++)
              for (int di = 0; di < 2; di++)
                for (int dj = 0; dj < 2; dj++) {
                  float s = b[o];
                  for (int c = 0; c < C; c++)
                    for (int r = 0; r < K; r++)
                      for (int u = 0; u < K; u++)
                        for (int v = 0; v < K; v++)
                          s += x[n][c][2 * d + dd + r][2 * i + di + u][2 * j + dj + v] * w[o][c][r][u][v];
                  top = fmaxf(top, s / DIVISOR);
                }
            sum += top;
          }
      total += sum / (PD * PH * PW) + bias[o];
    }
    y[n] = total;
  }
}
