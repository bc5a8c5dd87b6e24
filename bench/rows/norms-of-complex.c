#pragma tesela sizes(M = 4096, N = 8192)
void norms_of_complex(int M, int N, const float t[M][2 * N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[i][2 * j] * t[i][2 * j] + t[i][2 * j + 1] * t[i][2 * j + 1];
    y[i] = s;
  }
}
