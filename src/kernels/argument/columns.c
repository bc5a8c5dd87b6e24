// The same in every column of each of several matrices.
void find(int b, int n, int m, const int x[b][n][m], int y[b][m]) {
  for (int k = 0; k < b; k++)
    for (int j = 0; j < m; j++) {
      int best = INT_MIN;
      int at = 0;
      for (int i = 0; i < n; i++)
        if (x[k][i][j] > best) {
          best = x[k][i][j];
          at = i;
        }
      y[k][j] = at;
    }
}
