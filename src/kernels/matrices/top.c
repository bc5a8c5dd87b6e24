// The greatest finite absolute value of each part of a matrix (TWO: of two of them), as the bits of a float: those of positive floats are in their order.
#define SIZE(x) (((x) & 0x7fffffffu) < 0x7f800000u ? ((x) & 0x7fffffffu) : 0u)
#define TOP(parts, n, bits, top) \
  for (int i = 0; i < parts; i++) { \
    unsigned t = 0; \
    for (int j = 0; j < n; j++) \
      if (SIZE(bits[i][j]) > t) t = SIZE(bits[i][j]); \
    top[i] = t; \
  }
#if GRAM
// What an update needs of a factor F [r][p] before it is multiplied with the data: F Fᵀ in slices along p besides; `bits` are its elements.
void gram(int splits, int r, int p, int parts, int n, const float F[r][splits][p], const unsigned bits[parts][n], float square[splits][r][r], unsigned top[parts]) {
  for (int s = 0; s < splits; s++)
    for (int i = 0; i < r; i++)
      for (int j = 0; j < r; j++) {
        float acc = 0.0f;
        for (int k = 0; k < p; k++) acc += F[i][s][k] * F[j][s][k];
        square[s][i][j] = acc;
      }
  TOP(parts, n, bits, top)
}
#elif TWO
void top(int parts, int n, int others, int m, const unsigned a[parts][n], const unsigned b[others][m], unsigned left[parts], unsigned right[others]) {
  TOP(parts, n, a, left)
  TOP(others, m, b, right)
}
#else
void top(int parts, int n, const unsigned a[parts][n], unsigned left[parts]) {
  TOP(parts, n, a, left)
}
#endif
