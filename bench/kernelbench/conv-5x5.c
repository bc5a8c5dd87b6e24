#define N 32
#define C 64
#define O 96
#define H 128
#define W 64
void conv5(const float x[N][C][H][W], const float w[O][C][5][7], float y[N][O][H - 4][W - 6]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < H - 4; i++)
        for (int j = 0; j < W - 6; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int u = 0; u < 5; u++)
              for (int v = 0; v < 7; v++) s += x[n][c][i + u][j + v] * w[o][c][u][v];
          y[n][o][i][j] = s;
        }
}
