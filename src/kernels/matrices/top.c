// The greatest finite absolute value of each part of a matrix (TWO: of two of them), as the bits of a float: those of positive floats are in their order.
#define SIZE(x) (((x) & 0x7fffffffu) < 0x7f800000u ? ((x) & 0x7fffffffu) : 0u)
#define TOP(parts, n, bits, top) \
  for (int i = 0; i < parts; i++) { \
    unsigned t = 0; \
    for (int j = 0; j < n; j++) \
      if (SIZE(bits[i][j]) > t) t = SIZE(bits[i][j]); \
    top[i] = t; \
  }
#if TWO
void top(int parts, int n, int others, int m, const unsigned a[parts][n], const unsigned b[others][m], unsigned left[parts], unsigned right[others]) {
  TOP(parts, n, a, left)
  TOP(others, m, b, right)
}
#else
void top(int parts, int n, const unsigned a[parts][n], unsigned left[parts]) {
  TOP(parts, n, a, left)
}
#endif
