// Out of place transpose.
#pragma tesela sizes(n = 8192, m = 8192)

void transpose(int n, int m, const float in[n][m], float out[m][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[j][i] = in[i][j];
}
