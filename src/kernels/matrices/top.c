// The greatest finite absolute value of each part of a matrix (TWO: of two of them), as the bits of a float: those of positive floats are in their order.
#define SIZE(x) (((x) & 0x7fffffffu) < 0x7f800000u ? ((x) & 0x7fffffffu) : 0u)
void top(int parts, int n,
#if TWO
    int others, int m, const unsigned b[others][m], unsigned right[others],
#endif
    const unsigned a[parts][n], unsigned left[parts]) {
  for (int i = 0; i < parts; i++) {
    unsigned t = 0;
    for (int j = 0; j < n; j++)
      if (SIZE(a[i][j]) > t) t = SIZE(a[i][j]);
    left[i] = t;
  }
#if TWO
  for (int i = 0; i < others; i++) {
    unsigned t = 0;
    for (int j = 0; j < m; j++)
      if (SIZE(b[i][j]) > t) t = SIZE(b[i][j]);
    right[i] = t;
  }
#endif
}
