#define N 16
#define G 4
#define C 128
#define O 256
#define CG (C / G)
#define OG (O / G)
#define H 56
#define W 56
void grouped_by_quotient(const float x[N][C][H][W], const float w[O][CG][3][3], float y[N][O][H][W]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < O; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float s = 0.0f;
          for (int c = 0; c < CG; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) {
                int p = i + u - 1, q = j + v - 1;
                if (p < 0 || p >= H || q < 0 || q >= W) continue;
                s += x[n][o / OG * CG + c][p][q] * w[o][c][u][v];
              }
          y[n][o][i][j] = s;
        }
}
