// level2/24 conv3d-min-softmax: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 3
#endif
#ifndef O
#define O 24
#endif
#ifndef D
#define D 24
#endif
#ifndef H
#define H 32
#endif
#ifndef W
#define W 32
#endif
#define DO (D - 2)
#define HO (H - 2)
#define WO (W - 2)
void conv3d_min_softmax(const float x[N][C][D][H][W], const float w[O][C][3][3][3], const float b[O],
                        float y[N][O][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float least = INFINITY;
          for (int d = 0; d < DO; d++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < 3; r++)
                for (int u = 0; u < 3; u++)
                  for (int v = 0; v < 3; v++) s += x[n][c][d + r][i + u][j + v] * w[o][c][r][u][v];
            least = fminf(least, s);
          }
          y[n][o][i][j] = least;
        }
  for (int n = 0; n < N; n++)
    for (int i = 0; i < HO; i++)
      for (int j = 0; j < WO; j++) {
        float top = y[n][0][i][j], sum = 0.0f;
        for (int o = 1; o < O; o++) top = fmaxf(top, y[n][o][i][j]);
        for (int o = 0; o < O; o++) {
          y[n][o][i][j] = expf(y[n][o][i][j] - top);
          sum += y[n][o][i][j];
        }
        for (int o = 0; o < O; o++) y[n][o][i][j] /= sum;
      }
}
