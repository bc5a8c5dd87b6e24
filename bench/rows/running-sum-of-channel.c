#pragma tesela sizes(M = 4096, N = 8192)
void running_sum_of_channel(int M, int N, const float t[M][N][3], float y[M][N]) {
  for (int i = 0; i < M; i++) {
    float a = 0;
    for (int j = 0; j < N; j++) {
      a += t[i][j][2];
      y[i][j] = a;
    }
  }
}
