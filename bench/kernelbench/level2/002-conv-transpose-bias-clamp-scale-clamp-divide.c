// level2/2 conv-transpose-bias-clamp-scale-clamp-divide: x, w=conv_transpose.weight, b=conv_transpose.bias, bias=bias -> y
#ifndef N
#define N 128
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 64
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define K 3
#define STRIDE 2
#define PAD 1
#define OUTPAD 1
#define SCALE 2.0f
#define OH ((H - 1) * STRIDE - 2 * PAD + K + OUTPAD)
#define OW ((W - 1) * STRIDE - 2 * PAD + K + OUTPAD)
static float clamp01(float v) { return v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v; }
void conv_transpose_bias_clamp_scale_clamp_divide(const float x[N][CI][H][W], const float w[CI][CO][K][K],
                                                  const float b[CO], const float bias[CO], float y[N][CO][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = b[o];
          for (int c = 0; c < CI; c++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) {
                int p = i + PAD - u, q = j + PAD - v;
                if (p < 0 || q < 0 || p % STRIDE != 0 || q % STRIDE != 0) continue;
                p /= STRIDE;
                q /= STRIDE;
                if (p < H && q < W) s += x[n][c][p][q] * w[c][o][u][v];
              }
          float t = clamp01(s + bias[o]);
          t = clamp01(t * SCALE);
          y[n][o][i][j] = t / SCALE;
        }
}
