#define N 16
#define C 64
#define O 128
#define H 56
#define W 56
void nhwc(const float x[N][H][W][C], const float w[3][3][C][O], float y[N][H][W][O]) {
  for (int n = 0; n < N; n++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++)
    for (int o = 0; o < O; o++) {
          float s = 0.0f;
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++)
          for (int c = 0; c < C; c++)
                if (i + u >= 1 && i + u <= H && j + v >= 1 && j + v <= W) s += x[n][i+u-1][j+v-1][c] * w[u][v][c][o];
          y[n][i][j][o] = s;
        }
}
