// level1/75 conv-transposed-2d-grouped: x, w=conv_transpose2d.weight -> y
#ifndef N
#define N 16
#endif
#ifndef CI
#define CI 32
#endif
#ifndef CO
#define CO 64
#endif
#ifndef G
#define G 4
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 256
#endif
#define KH 3
#define KW 5
#define SH 2
#define SW 3
#define PH 1
#define PW 2
#define DH 2
#define DW 1
#define HO ((H - 1) * SH - 2 * PH + DH * (KH - 1) + 1)
#define WO ((W - 1) * SW - 2 * PW + DW * (KW - 1) + 1)

/* Strided, grouped, padded and dilated. */
void conv_transposed_2d_grouped(const float x[N][CI][H][W], const float w[CI][CO / G][KH][KW],
                                   float y[N][CO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          int g = o / (CO / G);
          float sum = 0.0f;
          for (int c = 0; c < CI / G; c++)
            for (int u = 0; u < KH; u++) {
              int p = i + PH - u * DH;
              if (p < 0 || p % SH != 0 || p / SH >= H) continue;
              for (int v = 0; v < KW; v++) {
                int q = j + PW - v * DW;
                if (q < 0 || q % SW != 0 || q / SW >= W) continue;
                sum += x[n][g * (CI / G) + c][p / SH][q / SW] * w[g * (CI / G) + c][o % (CO / G)][u][v];
              }
            }
          y[n][o][i][j] = sum;
        }
}
