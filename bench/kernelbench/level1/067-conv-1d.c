// level1/67 conv-1d: x, w=conv1d.weight -> y
#ifndef N
#define N 32
#endif
#ifndef CI
#define CI 64
#endif
#ifndef CO
#define CO 128
#endif
#ifndef L
#define L 131072
#endif
#define K 3
#define LO (L - K + 1)

void conv_1d(const float x[N][CI][L], const float w[CO][CI][K], float y[N][CO][LO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < LO; i++) {
        float sum = 0.0f;
        for (int c = 0; c < CI; c++)
          for (int k = 0; k < K; k++)
            sum += x[n][c][i + k] * w[o][c][k];
        y[n][o][i] = sum;
      }
}
