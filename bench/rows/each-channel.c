#pragma tesela sizes(M = 4096, N = 8192)
void each_channel(int M, int N, const float t[M][N][3], float y[M][3]) {
  for (int i = 0; i < M; i++) for (int c = 0; c < 3; c++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[i][j][c];
    y[i][c] = s;
  }
}
