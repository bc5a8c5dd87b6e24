#pragma tesela sizes(M = 4096, N = 8192)
void from_behind(int M, int N, const float t[M][N], const float h[N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[i][N - 1 - j] * h[j];
    y[i] = s;
  }
}
