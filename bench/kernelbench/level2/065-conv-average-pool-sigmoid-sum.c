// level2/65 conv-average-pool-sigmoid-sum: x, w=conv.weight, b=conv.bias -> y
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
#define H 384
#endif
#ifndef W
#define W 384
#endif
#define K 3
#define POOL 4
#define PH ((H - K + 1) / POOL)
#define PW ((W - K + 1) / POOL)
void conv_average_pool_sigmoid_sum(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O], float y[N]) {
  for (int n = 0; n < N; n++) {
    float total = 0.0f;
    for (int o = 0; o < O; o++)
      for (int i = 0; i < PH; i++)
        for (int j = 0; j < PW; j++) {
          float mean = 0.0f;
          for (int a = 0; a < POOL; a++)
            for (int e = 0; e < POOL; e++) {
              float s = b[o];
              for (int c = 0; c < C; c++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][i * POOL + a + u][j * POOL + e + v] * w[o][c][u][v];
              mean += s;
            }
          mean /= POOL * POOL;
          total += 1.0f / (1.0f + expf(-mean));
        }
    y[n] = total;
  }
}
