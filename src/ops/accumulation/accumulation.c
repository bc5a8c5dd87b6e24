// Rows added up where data say.
#pragma tesela sizes(rows = 65536, width = 256, count = 65536, bag = 8)

void scatter_add(int rows, int width, int count, unsigned y[rows][width], const int place[count],
                 const unsigned x[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) y[place[i]][j] += x[i][j];
}

void embedding_sum(int rows, int width, int count, int bag, const float x[rows][width], const int place[count][bag],
                   float y[count][width]) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < width; j++) {
      float sum = 0;
      for (int b = 0; b < bag; b++) sum += x[place[i][b]][j];
      y[i][j] = sum;
    }
}
