// The last two axes of an array of matrices change places.
void turn(int b, int n, int m, const T x[b][n][m], T y[b][m][n]) {
  for (int k = 0; k < b; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        y[k][j][i] = x[k][i][j];
}
