// Three powers of two for the greatest of some absolute values (TWO: two times): what brings it to [2^13, 2^14), and two that bring it back. All are the bits
// of floats, whose exponents stand from bit 23 on.
#define UP(x) min(140 - (int)((x) >> 23), 126)
#define FLOAT(e) ((unsigned)(127 + (e)) << 23)
#define POWER(parts, top, power) \
  for (int i = 0; i < 1; i++) \
    for (int e = 0; e < 3; e++) { \
      unsigned t = 0; \
      for (int j = 0; j < parts; j++) \
        if (top[i][j] > t) t = top[i][j]; \
      power[i][e] = FLOAT(e == 0 ? UP(t) : e == 1 ? -(UP(t) / 2) : UP(t) / 2 - UP(t)); \
    }
#if TWO
void power(int parts, int others, const unsigned left[1][parts], const unsigned right[1][others], unsigned a[1][3], unsigned b[1][3]) {
  POWER(parts, left, a)
  POWER(others, right, b)
}
#else
void power(int parts, const unsigned left[1][parts], unsigned a[1][3]) {
  POWER(parts, left, a)
}
#endif
