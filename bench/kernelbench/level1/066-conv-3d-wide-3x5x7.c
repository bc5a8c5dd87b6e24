// level1/66 conv-3d-wide-3x5x7: x, w=conv3d.weight -> y
#ifndef N
#define N 8
#endif
#ifndef CI
#define CI 3
#endif
#ifndef CO
#define CO 64
#endif
#ifndef D
#define D 16
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 128
#endif
#define KD 3
#define KH 5
#define KW 7
#define OD (D - KD + 1)
#define OH (H - KH + 1)
#define OW (W - KW + 1)
#define X(n, c, z, p, q) x[((((n) * CI + (c)) * D + (z)) * H + (p)) * W + (q)]
#define WT(o, c, a, u, v) w[((((o) * CI + (c)) * KD + (a)) * KH + (u)) * KW + (v)]

void conv_3d_wide_3x5x7(const float *x, const float *w, float *y) {
  for (int n = 0; n < N; n++)
    for (int o = 0; o < CO; o++)
      for (int d = 0; d < OD; d++)
        for (int i = 0; i < OH; i++)
          for (int j = 0; j < OW; j++) {
            float sum = 0.0f;
            for (int c = 0; c < CI; c++)
              for (int a = 0; a < KD; a++)
                for (int u = 0; u < KH; u++)
                  for (int v = 0; v < KW; v++)
                    sum += X(n, c, d + a, i + u, j + v) * WT(o, c, a, u, v);
            y[(((n * CO + o) * OD + d) * OH + i) * OW + j] = sum;
          }
}
