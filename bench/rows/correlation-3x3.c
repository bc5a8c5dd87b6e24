#pragma tesela sizes(N = 8000000)
void correlation_3x3(int N, const float p[N][3], const float q[N][3], float h[3][3]) {
  for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) h[i][j] = 0;
  for (int n = 0; n < N; n++) for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) h[i][j] += p[n][i] * q[n][j];
}
