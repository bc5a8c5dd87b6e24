// level2/6 conv3d-softmax-max-pool-max-pool: x, w=conv.weight, b=conv.bias -> y
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
#define D1 (D - 2)
#define H1 (H - 2)
#define W1 (W - 2)
#define D2 (D1 / 2)
#define H2 (H1 / 2)
#define W2 (W1 / 2)
#define D3 (D2 / 2)
#define H3 (H2 / 2)
#define W3 (W2 / 2)
void conv3d_softmax_max_pool_max_pool(const float x[N][C][D][H][W], const float w[O][C][3][3][3], const float b[O],
                                      float y[N][O][D3][H3][W3]) {
  float t[N][O][D1][H1][W1];
  float u[N][O][D2][H2][W2];
  for (int n = 0; n < N; n++)
    for (int d = 0; d < D1; d++)
      for (int i = 0; i < H1; i++)
        for (int j = 0; j < W1; j++) {
          float top = -INFINITY, sum = 0.0f;
          for (int o = 0; o < O; o++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int kd = 0; kd < 3; kd++)
                for (int kh = 0; kh < 3; kh++)
                  for (int kw = 0; kw < 3; kw++) s += x[n][c][d + kd][i + kh][j + kw] * w[o][c][kd][kh][kw];
            t[n][o][d][i][j] = s;
            if (s > top) top = s;
          }
          for (int o = 0; o < O; o++) {
            t[n][o][d][i][j] = expf(t[n][o][d][i][j] - top);
            sum += t[n][o][d][i][j];
          }
          for (int o = 0; o < O; o++) t[n][o][d][i][j] /= sum;
        }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D2; d++)
        for (int i = 0; i < H2; i++)
          for (int j = 0; j < W2; j++) {
            float m = -INFINITY;
            for (int kd = 0; kd < 2; kd++)
              for (int kh = 0; kh < 2; kh++)
                for (int kw = 0; kw < 2; kw++) m = fmaxf(m, t[n][o][2 * d + kd][2 * i + kh][2 * j + kw]);
            u[n][o][d][i][j] = m;
          }
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < D3; d++)
        for (int i = 0; i < H3; i++)
          for (int j = 0; j < W3; j++) {
            float m = -INFINITY;
            for (int kd = 0; kd < 2; kd++)
              for (int kh = 0; kh < 2; kh++)
                for (int kw = 0; kw < 2; kw++) m = fmaxf(m, u[n][o][2 * d + kd][2 * i + kh][2 * j + kw]);
            y[n][o][d][i][j] = m;
          }
}
