#define N 16
#define C 64
#define O 64
#define H 32
#define W 32
#define S 2
#define OH 65
#define OW 65
void scatter(const float x[N][C][H][W], const float w[C][O][3][3], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++)
          y[n][o][i][j] = 0.0f;
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
          for (int o = 0; o < O; o++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++)
                y[n][o][i * S + u][j * S + v] += x[n][c][i][j] * w[c][o][u][v];
}
