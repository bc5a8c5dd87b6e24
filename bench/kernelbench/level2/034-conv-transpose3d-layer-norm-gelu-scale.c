// level2/34 conv-transpose3d-layer-norm-gelu-scale: x, w=conv_transpose.weight, b=conv_transpose.bias, gamma=layer_norm.weight, beta=layer_norm.bias -> y
#include <math.h>
#ifndef N
#define N 32
#endif
#ifndef C
#define C 32
#endif
#ifndef O
#define O 64
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
#define K 4
#define S 2
#define P 1
#define EPS 1e-5f
#define SCALE 1.0f
#define DO ((D - 1) * S - 2 * P + K)
#define HO ((H - 1) * S - 2 * P + K)
#define WO ((W - 1) * S - 2 * P + K)
void conv_transpose3d_layer_norm_gelu_scale(const float x[N][C][D][H][W], const float w[C][O][K][K][K],
                                            const float b[O], const float gamma[WO], const float beta[WO],
                                            float y[N][O][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++) {
          float row[WO], mean = 0.0f, var = 0.0f;
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) {
                    int f = d + P - r, p = i + P - u, q = j + P - v;
                    if (f >= 0 && p >= 0 && q >= 0 && f % S == 0 && p % S == 0 && q % S == 0 && f / S < D &&
                        p / S < H && q / S < W)
                      s += x[n][c][f / S][p / S][q / S] * w[c][o][r][u][v];
                  }
            row[j] = s;
            mean += s;
          }
          mean /= WO;
          for (int j = 0; j < WO; j++) var += (row[j] - mean) * (row[j] - mean);
          var /= WO;
          for (int j = 0; j < WO; j++) {
            float t = (row[j] - mean) / sqrtf(var + EPS) * gamma[j] + beta[j];
            y[n][o][d][i][j] = 0.5f * t * (1.0f + erff(t * 0.70710678f)) * SCALE;
          }
        }
}
