#define N 16
#define G 4
#define CG 32
#define OG 64
#define H 56
#define W 56
void grouped(const float x[N][G*CG][H][W], const float w[G*OG][CG][3][3], float y[N][G*OG][H][W]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++)
    for (int o = 0; o < OG; o++)
      for (int i = 0; i < H; i++)
        for (int j = 0; j < W; j++) {
          float s = 0.0f;
          for (int c = 0; c < CG; c++)
            for (int u = 0; u < 3; u++)
              for (int v = 0; v < 3; v++) {
                int p = i + u - 1, q = j + v - 1;
                if (p < 0 || p >= H || q < 0 || q >= W) continue;
                s += x[n][g * CG + c][p][q] * w[g * OG + o][c][u][v];
              }
          y[n][g * OG + o][i][j] = s;
        }
}
