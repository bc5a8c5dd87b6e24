// Attention, and the rotation of what it compares by their places.
#include <math.h>
#pragma tesela sizes(heads = 16, queries = 2048, keys = 2048, depth = 64, rows = 4096, half = 64)

void attention(int heads, int queries, int keys, int depth, const float q[heads][queries][depth],
               const float k[heads][keys][depth], const float v[heads][keys][depth], float scale,
               float y[heads][queries][depth]) {
  float score[heads][queries][keys];
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < queries; i++)
      for (int j = 0; j < keys; j++) {
        float dot = 0;
        for (int c = 0; c < depth; c++) dot += q[h][i][c] * k[h][j][c];
        score[h][i][j] = scale * dot;
      }
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < queries; i++) {
      float top = -INFINITY;
      for (int j = 0; j < keys; j++) top = fmaxf(top, score[h][i][j]);
      float sum = 0;
      for (int j = 0; j < keys; j++) sum += expf(score[h][i][j] - top);
      for (int j = 0; j < keys; j++) score[h][i][j] = expf(score[h][i][j] - top) / sum;
    }
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < queries; i++)
      for (int c = 0; c < depth; c++) {
        float total = 0;
        for (int j = 0; j < keys; j++) total += score[h][i][j] * v[h][j][c];
        y[h][i][c] = total;
      }
}

// The first half of each vector is turned with the second, by an angle for each row and place.
void rope(int rows, int heads, int half, const float x[rows][heads][2][half], const float cosine[rows][half],
          const float sine[rows][half], float y[rows][heads][2][half]) {
  for (int r = 0; r < rows; r++)
    for (int h = 0; h < heads; h++)
      for (int i = 0; i < half; i++) {
        y[r][h][0][i] = x[r][h][0][i] * cosine[r][i] - x[r][h][1][i] * sine[r][i];
        y[r][h][1][i] = x[r][h][1][i] * cosine[r][i] + x[r][h][0][i] * sine[r][i];
      }
}
