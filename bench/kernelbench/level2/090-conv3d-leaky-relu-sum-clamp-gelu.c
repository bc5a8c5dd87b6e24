// level2/90 conv3d-leaky-relu-sum-clamp-gelu: x, w=conv.weight, b=conv.bias, addend=sum_tensor -> y
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
#define SLOPE 0.2f
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
void conv3d_leaky_relu_sum_clamp_gelu(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                                      const float addend[O], float y[N][O][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            if (s < 0.0f) s *= SLOPE;
            s += addend[o];
            if (s < -1.0f) s = -1.0f;
            if (s > 1.0f) s = 1.0f;
            y[n][o][d][i][j] = 0.5f * s * (1.0f + erff(s * 0.70710678f));
          }
}
