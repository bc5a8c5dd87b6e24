// level1/46 average-pool-3d: x -> y
#ifndef N
#define N 16
#endif
#ifndef C
#define C 32
#endif
#ifndef D
#define D 128
#endif
#ifndef H
#define H 128
#endif
#ifndef W
#define W 256
#endif
#define K 3
#define S 2
#define P 1
#define DO ((D + 2 * P - K) / S + 1)
#define HO ((H + 2 * P - K) / S + 1)
#define WO ((W + 2 * P - K) / S + 1)

void average_pool_3d(const float x[N][C][D][H][W], float y[N][C][DO][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int d = 0; d < DO; d++)
        for (int i = 0; i < HO; i++)
          for (int j = 0; j < WO; j++) {
            float sum = 0.0f;
            for (int a = 0; a < K; a++)
              for (int u = 0; u < K; u++)
                for (int v = 0; v < K; v++) {
                  int z = d * S + a - P, p = i * S + u - P, q = j * S + v - P;
                  if (z >= 0 && z < D && p >= 0 && p < H && q >= 0 && q < W)
                    sum += x[n][c][z][p][q];
                }
            y[n][c][d][i][j] = sum / (K * K * K);
          }
}
