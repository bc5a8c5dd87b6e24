#pragma tesela sizes(M = 4096, N = 8192)
void gray(int M, int N, const float t[M][N][3], float y[M]) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += 0.3f * t[i][j][0] + 0.6f * t[i][j][1] + 0.1f * t[i][j][2];
    y[i] = s;
  }
}
