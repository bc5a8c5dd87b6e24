#define N 16
#define C 64
#define O 64
#define H 32
#define W 32
#define S 2
#define P 1
#define OH 63
#define OW 63
void trans(const float x[N][C][H][W], const float w[C][O][3][3], float y[N][O][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = 0.0f;
          for (int c = 0; c < C; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) {
                int p = i + P - u, q = j + P - v;
                if (p % S != 0 || q % S != 0) continue;
                p /= S; q /= S;
                if (p < 0 || p >= H || q < 0 || q >= W) continue;
                s += x[n][c][p][q] * w[c][o][u][v];
              }
          y[n][o][i][j] = s;
        }
}
