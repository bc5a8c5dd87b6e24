#define N 16
#define C 64
#define O 128
#define H 56
#define W 56
static int imax(int a, int b) { return a > b ? a : b; }
static int imin(int a, int b) { return a < b ? a : b; }
void clamped(const float x[N][C][H][W], const float w[O][C][3][3], float y[N][O][H][W]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          y[n][o][i][j] = 0.0f;
          for (int c = 0; c < C; c++)
            for (int u = imax(0, 1 - i); u < imin(3, H + 1 - i); u++)
              for (int v = imax(0, 1 - j); v < imin(3, W + 1 - j); v++)
                y[n][o][i][j] += x[n][c][i + u - 1][j + v - 1] * w[o][c][u][v];
        }
}
