#pragma tesela sizes(M = 4096, N = 8192)
void short_triples(int M, int N, const short t[M][3 * N], float y[M]) {
  for (int i = 0; i < M; i++) {
    float s = 0;
    for (int j = 0; j < N; j++) s += t[i][3 * j] * t[i][3 * j + 2];
    y[i] = s;
  }
}
