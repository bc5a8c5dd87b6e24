// level2/16 conv-transpose-mish-add-hardtanh-scale: x, w=conv_transpose.weight, b=conv_transpose.bias -> y
#include <math.h>
#ifndef N
#define N 128
#endif
#ifndef C
#define C 64
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
#define K 3
#define S 2
#define P 1
#define OP 1
#define ADD 0.5f
#define SCALE 2.0f
#define OH ((H - 1) * S - 2 * P + K + OP)
#define OW ((W - 1) * S - 2 * P + K + OP)
void conv_transpose_mish_add_hardtanh_scale(const float *x, const float *w, const float *b, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + P - u, q = j + P - v;
                if (p >= 0 && q >= 0 && p % S == 0 && q % S == 0 && p / S < H && q / S < W)
                  s += x[((n * C + c) * H + p / S) * W + q / S] * w[((c * O + o) * K + u) * K + v];
              }
          float t = s * tanhf(logf(1.0f + expf(s)));
          t += ADD;
          if (t < -1.0f) t = -1.0f;
          else if (t > 1.0f) t = 1.0f;
          y[((n * O + o) * OH + i) * OW + j] = t * SCALE;
        }
}
