// level2/96 conv-transpose3d-multiply-max-pool-average-clamp: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#include <math.h>
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
#define SCALE 0.5f
#define OD ((D - 1) * S - 2 * P + K)
#define OH ((H - 1) * S - 2 * P + K)
#define OW ((W - 1) * S - 2 * P + K)
#define PD (OD / 2)
#define PH (OH / 2)
#define PW (OW / 2)
void conv_transpose3d_multiply_max_pool_average_clamp(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                                      const float b[O], float y[N][O]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float sum = 0.0f;
      for (int d = 0; d < PD; d++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) {
            float m = -INFINITY;
            for (int od = 2 * d; od < 2 * d + 2; od++)
              for (int oh = 2 * i; oh < 2 * i + 2; oh++)
                for (int ow = 2 * j; ow < 2 * j + 2; ow++) {
                  float s = b[o];
                  for (int c = 0; c < C; c++)
                    for (int r = 0; r < K; r++)
                      for (int u = 0; u < K; u++)
                        for (int v = 0; v < K; v++) {
                          int f = od + P - r, p = oh + P - u, q = ow + P - v;
                          if (f < 0 || p < 0 || q < 0 || f % S != 0 || p % S != 0 || q % S != 0) continue;
                          if (f / S >= D || p / S >= H || q / S >= W) continue;
                          s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                        }
                  m = fmaxf(m, s * SCALE);
                }
            sum += m;
          }
      float mean = sum / (PD * PH * PW);
      y[n][o] = mean < 0.0f ? 0.0f : mean > 1.0f ? 1.0f : mean;
    }
}
