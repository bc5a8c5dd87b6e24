// Sparse matrices by compressed rows.
#pragma tesela sizes(rows = 1048576, n = 1048576, entries = 16777216)

void csr_product(int rows, int n, int entries, const int start[rows + 1], const int column[entries],
                 const float value[entries], const float x[n], float y[rows]) {
  for (int r = 0; r < rows; r++) {
    float sum = 0;
    for (int i = start[r]; i < start[r + 1]; i++) sum += value[i] * x[column[i]];
    y[r] = sum;
  }
}
