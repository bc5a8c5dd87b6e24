// Where in every row of a matrix the greatest element is; the first place of several.
void find(int n, int m, const int x[n][m], int y[n]) {
  for (int i = 0; i < n; i++) {
    int best = INT_MIN;
    int at = 0;
    for (int j = 0; j < m; j++)
      if (x[i][j] > best) {
        best = x[i][j];
        at = j;
      }
    y[i] = at;
  }
}
