// Sparse matrices by compressed rows.
#pragma tesela sizes(rows = 1048576, n = 1048576, entries = 16777216)

// Eight sums for each row, of every eighth entry, so that entries next to each other are read at one time.
void csr_product(int rows, int n, int entries, const int start[rows + 1], const int column[entries],
                 const float value[entries], const float x[n], float y[rows]) {
  float part[rows][8];
  for (int r = 0; r < rows; r++)
    for (int p = 0; p < 8; p++) {
      float sum = 0;
      for (int i = start[r] + p; i < start[r + 1]; i += 8) sum += value[i] * x[column[i]];
      part[r][p] = sum;
    }
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int p = 0; p < 8; p++) sum += part[r][p];
    y[r] = sum;
  }
}
