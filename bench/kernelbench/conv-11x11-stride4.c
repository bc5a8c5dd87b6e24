#define N 256
void conv50(const float x[N][3][224][224], const float w[96][3][11][11], const float b[96], float y[N][96][55][55]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < 96; o++)
      for (int i = 0; i < 55; i++)
        for (int j = 0; j < 55; j++) {
          float s = b[o];
          for (int c = 0; c < 3; c++)
            for (int u = 0; u < 11; u++)
              for (int v = 0; v < 11; v++) {
                int p = i * 4 + u - 2, q = j * 4 + v - 2;
                if (p >= 0 && p < 224 && q >= 0 && q < 224) s += x[n][c][p][q] * w[o][c][u][v];
              }
          y[n][o][i][j] = s;
        }
}
