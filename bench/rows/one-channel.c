#pragma tesela sizes(M = 4096, N = 8192)
void one_channel(int M, int N, const float t[M][N][3], float y[M]) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[i][j][1];
    y[i] = s;
  }
}
