// Elements moved and repeated.
#pragma tesela sizes(planes = 64, height = 1024, width = 1024, m = 8192, n = 8192, times = 4, shift = 100)

void flip_rows(int planes, int height, int width, const float x[planes][height][width],
               float y[planes][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++) y[p][i][j] = x[p][i][width - 1 - j];
}

void depth_to_space2(int planes, int height, int width, const float x[planes][2][2][height][width],
                     float y[planes][2 * height][2 * width]) {
  for (int p = 0; p < planes; p++)
    for (int i = 0; i < 2 * height; i++)
      for (int j = 0; j < 2 * width; j++) y[p][i][j] = x[p][i % 2][j % 2][i / 2][j / 2];
}

void space_to_depth2(int planes, int height, int width, const float x[planes][2 * height][2 * width],
                     float y[planes][2][2][height][width]) {
  for (int p = 0; p < planes; p++)
    for (int u = 0; u < 2; u++)
      for (int v = 0; v < 2; v++)
        for (int i = 0; i < height; i++)
          for (int j = 0; j < width; j++) y[p][u][v][i][j] = x[p][2 * i + u][2 * j + v];
}

void lower_triangle(int m, const float x[m][m], float y[m][m]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++) y[i][j] = j <= i ? x[i][j] : 0;
}

void reverse(int m, int n, const float x[m][n], float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) y[i][j] = x[i][n - 1 - j];
}

void roll(int m, int n, const float x[m][n], int shift, float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) y[i][j] = x[i][(j + n - shift) % n];
}

void repeat(int m, int times, int n, const float x[m][n], float y[m][times][n]) {
  for (int i = 0; i < m; i++)
    for (int t = 0; t < times; t++)
      for (int j = 0; j < n; j++) y[i][t][j] = x[i][j];
}

void outer(int m, int n, const float a[m], const float b[n], float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) y[i][j] = a[i] * b[j];
}
