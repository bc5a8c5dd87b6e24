#define N 16
#define C 64
#define O 128
#define H 512
#define W 512
void point(const float x[N][C][H][W], const float w[O][C], float y[N][O][H][W]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++) s += x[n][c][i][j] * w[o][c];
          y[n][o][i][j] = s;
        }
}
