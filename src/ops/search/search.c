// Where rows have their greatest and least.
#pragma tesela sizes(rows = 4096, n = 4096)

void argmax(int rows, int n, const float x[rows][n], int y[rows]) {
  for (int r = 0; r < rows; r++) {
    float best = x[r][0];
    int at = 0;
    for (int i = 1; i < n; i++)
      if (x[r][i] > best) {
        best = x[r][i];
        at = i;
      }
    y[r] = at;
  }
}

void argmin(int rows, int n, const float x[rows][n], int y[rows]) {
  for (int r = 0; r < rows; r++) {
    float best = x[r][0];
    int at = 0;
    for (int i = 1; i < n; i++)
      if (x[r][i] < best) {
        best = x[r][i];
        at = i;
      }
    y[r] = at;
  }
}
