// Elements chosen, moved and put together.
#pragma tesela sizes(rows = 65536, width = 256, count = 65536, m = 8192, n = 8192, left = 4096, right = 4096, \
                     before = 16, after = 16, kept = 8192)

void gather(int rows, int width, int count, const float x[rows][width], const int place[count], float y[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) y[i][j] = x[place[i]][j];
}

void gather_elements(int m, int n, int width, const float x[m][n], const int place[m][width], float y[m][width]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < width; j++) y[i][j] = x[i][place[i][j]];
}

void slice(int m, int before, int kept, int after, const float x[m][before + kept + after], float y[m][kept]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < kept; j++) y[i][j] = x[i][before + j];
}

void concat(int m, int left, int right, const float a[m][left], const float b[m][right], float y[m][left + right]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < left + right; j++) y[i][j] = j < left ? a[i][j] : b[i][j - left];
}

void pad(int m, int n, int before, int after, const float x[m][n], float value, float y[m][before + n + after]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < before + n + after; j++)
      y[i][j] = j >= before && j < before + n ? x[i][j - before] : value;
}

void where(int m, int n, const unsigned condition[m][n], const float a[m][n], const float b[m][n], float y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) y[i][j] = condition[i][j] ? a[i][j] : b[i][j];
}

void one_hot(int count, int width, const int label[count], float y[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) y[i][j] = label[i] == j ? 1 : 0;
}

// Where several rows go to one place, the last stays.
void scatter(int rows, int width, int count, float y[rows][width], const int place[count], const float x[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) y[place[i]][j] = x[i][j];
}
