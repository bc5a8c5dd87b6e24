// level2/21 conv-bias-scale-sigmoid-group-norm: x, w=conv.weight, b=conv.bias, bias=bias, scale=scale, gamma=group_norm.weight, beta=group_norm.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 32
#endif
#ifndef H
#define H 256
#endif
#ifndef W
#define W 256
#endif
#ifndef G
#define G 8
#endif
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define PER (O / G)
#define EPS 1e-5f
void conv_bias_scale_sigmoid_group_norm(const float x[N][C][H][W], const float w[O][C][K][K], const float b[O],
                                        const float bias[O], const float scale[O], const float gamma[O],
                                        const float beta[O], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++) {
      float sum = 0.0f, square = 0.0f;
      for (int o = g * PER; o < (g + 1) * PER; o++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
            s = (s + bias[o]) * scale[o];
            s = 1.0f / (1.0f + expf(-s));
            y[n][o][i][j] = s;
            sum += s;
            square += s * s;
          }
      float mean = sum / (PER * OH * OW), var = square / (PER * OH * OW) - mean * mean;
      float inv = 1.0f / sqrtf(var + EPS);
      for (int o = g * PER; o < (g + 1) * PER; o++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) y[n][o][i][j] = (y[n][o][i][j] - mean) * inv * gamma[o] + beta[o];
    }
}
