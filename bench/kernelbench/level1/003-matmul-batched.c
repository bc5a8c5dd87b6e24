// level1/3 matmul-batched: a, b -> c
#ifndef BATCH
#define BATCH 128
#endif
#ifndef M
#define M 512
#endif
#ifndef K
#define K 1024
#endif
#ifndef N
#define N 2048
#endif

void matmul_batched(const float a[BATCH][M][K], const float b[BATCH][K][N], float c[BATCH][M][N]) {
  for (int s = 0; s < BATCH; s++)
    for (int i = 0; i < M; i++)
      for (int j = 0; j < N; j++) {
        float acc = 0;
        for (int k = 0; k < K; k++)
          acc += a[s][i][k] * b[s][k][j];
        c[s][i][j] = acc;
      }
}
