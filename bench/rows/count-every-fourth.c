#pragma tesela sizes(M = 4096, N = 8192)
void count_every_fourth(int M, int N, const unsigned char t[M][N], int y[M]) {
  for (int i = 0; i < M; i++) {
    int s = 0;
    for (int j = 0; j < N; j += 4) if (t[i][j] > 7) s++;
    y[i] = s;
  }
}
