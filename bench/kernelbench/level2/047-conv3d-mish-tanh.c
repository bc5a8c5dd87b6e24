// level2/47 conv3d-mish-tanh: x, w=conv.weight, b=conv.bias -> y
#include <math.h>
#ifndef N
#define N 16
#endif
#ifndef C
#define C 32
#endif
#ifndef O
#define O 64
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
void conv3d_mish_tanh(const float *x, const float *w, const float *b, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float s = b[o];
            for (int c = 0; c < C; c++)
              for (int r = 0; r < K; r++)
                for (int u = 0; u < K; u++)
                  for (int v = 0; v < K; v++)
                    s += x[(((n * C + c) * D + d + r) * H + i + u) * W + j + v] *
                         w[(((o * C + c) * K + r) * K + u) * K + v];
            s = s * tanhf(s > 20.0f ? s : log1pf(expf(s)));
            y[(((n * O + o) * DO + d) * HO + i) * WO + j] = tanhf(s);
          }
}
