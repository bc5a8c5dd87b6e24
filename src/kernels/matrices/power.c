// Three powers of two for the greatest of some absolute values (TWO: two times): what brings it to [2^13, 2^14), and two that bring it back. All are the bits
// of floats, whose exponents stand from bit 23 on: each falls or rises with the absolute value, so the least or greatest of what single ones want is right for all.
#define UP(x) min(140 - (int)((x) >> 23), 126)
#define FLOAT(e) ((unsigned)(127 + (e)) << 23)
#define POWER(parts, top, power) \
  for (int i = 0; i < 1; i++) { \
    unsigned by = 0xffffffffu, half = 0, rest = 0; \
    for (int j = 0; j < parts; j++) { \
      int up = UP(top[i][j]); \
      if (FLOAT(up) < by) by = FLOAT(up); \
      if (FLOAT(-(up / 2)) > half) half = FLOAT(-(up / 2)); \
      if (FLOAT(up / 2 - up) > rest) rest = FLOAT(up / 2 - up); \
    } \
    power[i][0] = by; \
    power[i][1] = half; \
    power[i][2] = rest; \
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
