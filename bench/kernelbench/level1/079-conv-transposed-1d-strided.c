// level1/79 conv-transposed-1d-strided: x, w=conv1d_transpose.weight -> y
#ifndef N
#define N 16
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
#define K 3
#define S 2
#define P 1
#define DIL 2
#define LO ((L - 1) * S - 2 * P + DIL * (K - 1) + 1)

void conv_transposed_1d_strided(const float x[N][CI][L], const float w[CI][CO][K], float y[N][CO][LO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++) {
      for (int t = 0; t < LO; t++) y[n][o][t] = 0.0f;
      for (int c = 0; c < CI; c++)
        for (int i = 0; i < L; i++)
          for (int k = 0; k < K; k++) {
            int t = i * S - P + k * DIL;
            if (t >= 0 && t < LO) y[n][o][t] += x[n][c][i] * w[c][o][k];
          }
    }
}
