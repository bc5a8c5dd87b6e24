#define N 16
#define C 64
#define H 512
#define W 512
#define K 11
#define S 11
#define P 0
#define OH ((H + 2 * P - K) / S + 1)
#define OW ((W + 2 * P - K) / S + 1)
void avg(const float x[N][C][H][W], float y[N][C][OH][OW]) {
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int i = 0; i < OH; i++)
        for (int j = 0; j < OW; j++) {
          float s = 0.0f;
          for (int u = 0; u < K; u++)
            for (int v = 0; v < K; v++) s += x[n][c][i * S + u - P][j * S + v - P];
          y[n][c][i][j] = s / (K * K);
        }
}
