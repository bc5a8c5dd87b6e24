#pragma tesela sizes(M = 2048, N = 2048)
void moments_of_image(int M, int N, const float t[M][N][3], float mu[3], float cov[3][3]) {
  for (int c = 0; c < 3; c++) {
    float s = 0;
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) s += t[i][j][c];
    mu[c] = s / (M * N);
  }
  for (int c = 0; c < 3; c++) for (int d = 0; d < 3; d++) {
    float s = 0;
    for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) s += (t[i][j][c] - mu[c]) * (t[i][j][d] - mu[d]);
    cov[c][d] = s / (M * N);
  }
}
