// level1/74 conv-transposed-1d-dilated: x, w=conv1d_transpose.weight -> y
#ifndef N
#define N 32
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 64
#endif
#ifndef L
#define L 131072
#endif
#define K 5
#define DILATION 3
#define LO (L + DILATION * (K - 1))

void conv_transposed_1d_dilated(const float x[N][CI][L], const float w[CI][CO][K], float y[N][CO][LO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < LO; i++) {
        float sum = 0.0f;
        for (int c = 0; c < CI; c++)
          for (int k = 0; k < K; k++) {
            int p = i - k * DILATION;
            if (p >= 0 && p < L) sum += x[n][c][p] * w[c][o][k];
          }
        y[n][o][i] = sum;
      }
}
