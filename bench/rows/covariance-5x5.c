#pragma tesela sizes(N = 8000000)
void covariance_5x5(int N, const float t[N][5], float cov[5][5]) {
  for (int c = 0; c < 5; c++) for (int d = 0; d < 5; d++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[j][c] * t[j][d];
    cov[c][d] = s;
  }
}
