#pragma tesela sizes(M = 4096, N = 8192)
void least_of_pairs(int M, int N, const float t[M][2 * N], float y[M], int k[M]) {
  for (int i = 0; i < M; i++) {
    float b = t[i][0];
    int w = 0;
    for (int j = 1; j < N; j++) {
      float v = t[i][2 * j] + t[i][2 * j + 1];
      if (v < b) {
        b = v;
        w = j;
      }
    }
    y[i] = b;
    k[i] = w;
  }
}
