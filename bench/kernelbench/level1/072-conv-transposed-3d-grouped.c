// level1/72 conv-transposed-3d-grouped: x, w=conv_transpose3d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 32
#endif
#ifndef G
#define G 4
#endif
#ifndef D
#define D 12
#endif
#ifndef H
#define H 24
#endif
#ifndef W
#define W 48
#endif
#define KD 3
#define KH 5
#define KW 7
#define S 2
#define PD 1
#define PH 2
#define PW 3
#define EXTRA 1
#define OD ((D - 1) * S - 2 * PD + KD + EXTRA)
#define OH ((H - 1) * S - 2 * PH + KH + EXTRA)
#define OW ((W - 1) * S - 2 * PW + KW + EXTRA)
#define CIG (CI / G)
#define COG (CO / G)

void conv_transposed_3d_grouped(const float x[N][CI][D][H][W], const float w[CI][COG][KD][KH][KW],
                                float y[N][CO][OD][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int g = 0; g < G; g++)
      for (int o = 0; o < COG; o++)
        for (int d = 0; d < OD; d++)
          for (int i = 0; i < OH; i++)
            for (int j = 0; j < OW; j++) {
              float sum = 0.0f;
              for (int c = g * CIG; c < (g + 1) * CIG; c++)
                for (int a = 0; a < KD; a++)
                  for (int u = 0; u < KH; u++)
                    for (int v = 0; v < KW; v++) {
                      int z = d + PD - a, p = i + PH - u, q = j + PW - v;
                      if (z < 0 || p < 0 || q < 0) continue;
                      if (z % S != 0 || p % S != 0 || q % S != 0) continue;
                      z /= S;
                      p /= S;
                      q /= S;
                      if (z < D && p < H && q < W)
                        sum += x[n][c][z][p][q] * w[c][o][a][u][v];
                    }
              y[n][g * COG + o][d][i][j] = sum;
            }
}
