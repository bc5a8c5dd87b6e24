// level2/69 conv-hard-swish-relu: x, w=conv.weight, b=conv.bias -> y
#ifndef N
#define N 128
#endif
#ifndef C
#define C 8
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
#define OH (H - K + 1)
#define OW (W - K + 1)
void conv_hard_swish_relu(const float *x, const float *w, const float *b, float *y) {
  for (int n = 0; n < N; n++) {
    const float *image = x + n * C * H * W;
    for (int o = 0; o < O; o++) {
      const float *kernel = w + o * C * K * K;
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < C; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += image[(c * H + i + u) * W + j + v] * kernel[(c * K + u) * K + v];
          float gate = s + 3.0f;
          if (gate < 0.0f) gate = 0.0f;
          if (gate > 6.0f) gate = 6.0f;
          s = s * gate / 6.0f;
          y[((n * O + o) * OH + i) * OW + j] = s > 0.0f ? s : 0.0f;
        }
    }
  }
}
