// level2/7 conv3d-relu-leaky-relu-gelu-sigmoid-bias: x, w=conv.weight, b=conv.bias, bias=bias -> y
#include <math.h>
#ifndef N
#define N 64
#endif
#ifndef C
#define C 8
#endif
#ifndef O
#define O 32
#endif
#ifndef D
#define D 32
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
#define SLOPE 0.01f
static float relu(float v) { return v > 0.0f ? v : 0.0f; }
static float leaky(float v) { return v > 0.0f ? v : SLOPE * v; }
static float gelu(float v) { return 0.5f * v * (1.0f + erff(v / sqrtf(2.0f))); }
static float sigmoid(float v) { return 1.0f / (1.0f + expf(-v)); }
void conv3d_relu_leaky_relu_gelu_sigmoid_bias(const float x[N][C][D][H][W], const float w[O][C][K][K][K],
                                              const float b[O], const float bias[O], float y[N][O][DO][HO][WO]) {
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
            y[n][o][d][i][j] = sigmoid(gelu(leaky(relu(s)))) + bias[o];
          }
}
