// level1/45 average-pool-2d: x -> y
#ifndef N
#define N 16
#endif
#ifndef C
#define C 64
#endif
#ifndef H
#define H 2048
#endif
#ifndef W
#define W 2048
#endif
#define K 11
#define HO ((H - K) / K + 1)
#define WO ((W - K) / K + 1)

void average_pool_2d(const float x[N][C][H][W], float y[N][C][HO][WO]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < HO; i++)
        for (int j = 0; j < WO; j++) {
          float sum = 0.0f;
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++)
              sum += x[n][c][i * K + u][j * K + v];
          y[n][c][i][j] = sum / (K * K);
        }
}
