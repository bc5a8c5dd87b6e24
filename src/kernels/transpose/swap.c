// The first and the last axis change places.
void swap(int n, int b, int m, const T x[n][b][m], T y[m][b][n]) {
  for (int k = 0; k < b; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[j][k][i] = x[i][k][j];
}
