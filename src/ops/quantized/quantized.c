// Products of small integers, four signed bytes in a word, the first in its lowest bits.
#pragma tesela sizes(m = 1024, n = 1024, words = 256)

static int byte(unsigned word, int lane) { return (int)(word << (24 - 8 * lane)) >> 24; }

// A times B transposed.
void int8_product(int m, int n, int words, const unsigned a[m][words], const unsigned b[n][words], int y[m][n]) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int k = 0; k < words; k++)
        sum += byte(a[i][k], 0) * byte(b[j][k], 0) + byte(a[i][k], 1) * byte(b[j][k], 1) +
               byte(a[i][k], 2) * byte(b[j][k], 2) + byte(a[i][k], 3) * byte(b[j][k], 3);
      y[i][j] = sum;
    }
}
