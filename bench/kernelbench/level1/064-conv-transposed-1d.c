// level1/64 conv-transposed-1d: x, w=conv1d_transpose.weight -> y
#ifndef N
#define N 64
#endif
#ifndef CI
#define CI 128
#endif
#ifndef CO
#define CO 128
#endif
#ifndef L
#define L 65536
#endif
#define K 3
#define LO (L + K - 1)

void conv_transposed_1d(const float x[N][CI][L], const float w[CI][CO][K], float y[N][CO][LO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++) {
      for (int i = 0; i < LO; i++)
        y[n][o][i] = 0.0f;
      for (int c = 0; c < CI; c++)
        for (int i = 0; i < L; i++)
          for (int k = 0; k < K; k++)
            y[n][o][i + k] += x[n][c][i] * w[c][o][k];
    }
}
