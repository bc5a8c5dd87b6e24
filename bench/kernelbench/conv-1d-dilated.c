#define N 32
#define C 64
#define O 128
#define L 65536
#define D 4
#define LO ((L - 2 * D - 1) / 3 + 1)
void conv1d(const float x[N][C][L], const float w[O][C][3], const float b[O], float y[N][O][LO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < LO; i++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int k = 0; k < 3; k++) s += x[n][c][i * 3 + k * D] * w[o][c][k];
          y[n][o][i] = s + b[o];
        }
}
