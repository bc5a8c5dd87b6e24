#define N 16
#define C 3
#define O 64
#define T 64
#define K 3
#define TO (T - K + 1)
void conv3d(const float x[N][C][T][T][T], const float w[O][C][K][K][K], float y[N][O][TO][TO][TO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int h = 0; h < TO; h++)
      for (int i = 0; i < TO; i++)
        for (int j = 0; j < TO; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int t = 0; t < K; t++)
            for (int u = 0; u < K; u++)
              for (int v = 0; v < K; v++) s += x[n][c][h + t][i + u][j + v] * w[o][c][t][u][v];
          y[n][o][h][i][j] = s;
        }
}
