// level2/48 conv3d-scale-tanh-multiply-sigmoid: x, w=conv.weight, b=conv.bias, scale=scaling_factor, bias=bias -> y
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
#define H 64
#endif
#ifndef W
#define W 64
#endif
#define K 3
#define DO (D - K + 1)
#define HO (H - K + 1)
#define WO (W - K + 1)
void conv3d_scale_tanh_multiply_sigmoid(const float x[N][C][D][H][W], const float w[O][C][K][K][K], const float b[O],
                                        const float scale[O], const float bias[O], float y[N][O][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = 0.0f;
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            s += b[o];
            s = tanhf(s * scale[o]) * bias[o];
            y[n][o][d][i][j] = 1.0f / (1.0f + expf(-s));
          }
}
