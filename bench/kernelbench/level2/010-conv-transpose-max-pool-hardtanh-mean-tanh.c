// level2/10 conv-transpose-max-pool-hardtanh-mean-tanh: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 64
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
#define P 1
void conv_transpose_max_pool_hardtanh_mean_tanh(const float x[N][C][H][W], const float w[C][O][K][K], const float b[O],
                                                float y[N][O]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++) {
      float mean = 0.0f;
      for (int i = 0; i < H / 2; i++)
        for (int j = 0; j < W / 2; j++) {
          float m = -INFINITY;
          for (int a = 0; a < 2; a++)
            for (int e = 0; e < 2; e++) {
              float s = b[o];
              for (int c = 0; c < C; c++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int p = 2 * i + a + P - u, q = 2 * j + e + P - v;
                    if (p >= 0 && p < H && q >= 0 && q < W) s += x[n][c][p][q] * w[c][o][u][v];
                  }
              if (s > m) m = s;
            }
          if (m < -1.0f) m = -1.0f;
          if (m > 1.0f) m = 1.0f;
          mean += m;
        }
      mean /= (H / 2) * (W / 2);
      y[n][o] = tanhf(mean);
    }
}
