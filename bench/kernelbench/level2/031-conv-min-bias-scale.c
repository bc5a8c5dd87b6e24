// level2/31 conv-min-bias-scale: x, w=conv.weight, b=conv.bias, bias=bias -> y
#ifndef N
#define N 128
#endif
#ifndef C
#define C 64
#endif
#ifndef O
#define O 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define OH (H - K + 1)
#define OW (W - K + 1)
#define CONSTANT 0.5f
#define SCALE 2.0f
void conv_min_bias_scale(const float *x, const float *w, const float *b, const float *bias, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++)
                s += x[((n * C + c) * H + i + u) * W + j + v] * w[((o * C + c) * K + u) * K + v];
          if (s > CONSTANT) s = CONSTANT;
          y[((n * O + o) * OH + i) * OW + j] = (s + bias[o]) * SCALE;
        }
}
