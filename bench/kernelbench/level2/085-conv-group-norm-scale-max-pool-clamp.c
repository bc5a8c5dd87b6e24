// level2/85 conv-group-norm-scale-max-pool-clamp: x, w=conv.weight, b=conv.bias, gamma=group_norm.weight, beta=group_norm.bias, scale=scale -> y
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
#define H 128
#endif
#ifndef W
#define W 128
#endif
#ifndef G
#define G 16
#endif
#define K 3
#define POOL 4
#define EPS 1e-5f
#define LOW 0.0f
#define HIGH 1.0f
#define OH (H - K + 1)
#define OW (W - K + 1)
#define PH (OH / POOL)
#define PW (OW / POOL)
#define PER (O / G)
void conv_group_norm_scale_max_pool_clamp(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                          const float gamma[O], const float beta[O], const float scale[O],
                                          float y[N][O][PH][PW]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float t[PER][OH][OW];
      float mean = 0.0f, var = 0.0f;
      for (int k = 0; k < PER; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = b[g * PER + k];
            for (int c = 0; c < C; c++)
              for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[g * PER + k][c][u][v];
            t[k][i][j] = s;
            mean += s;
          }
      mean /= PER * OH * OW;
      for (int k = 0; k < PER; k++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float d = t[k][i][j] - mean;
            var += d * d;
          }
      var /= PER * OH * OW;
      for (int k = 0; k < PER; k++)
        for (int i = 0; i < PH; i++)
          for (int j = 0; j < PW; j++) {
            int o = g * PER + k;
            float m = -INFINITY;
            for (int u = 0; u < POOL; u++)
              for (int v = 0; v < POOL; v++) {
                float z = (t[k][POOL * i + u][POOL * j + v] - mean) / sqrtf(var + EPS) * gamma[o] + beta[o];
                m = fmaxf(m, z * scale[o]);
              }
            y[n][o][i][j] = fminf(fmaxf(m, LOW), HIGH);
          }
    }
}
