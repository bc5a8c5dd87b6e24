// The slices of gram.c added up, and the powers of two for its greatest absolute value (power.c).
#define UP(x) min(140 - (int)((x) >> 23), 126)
#define FLOAT(e) ((unsigned)(127 + (e)) << 23)
void whole(int splits, int m, int parts, const float slices[1][splits][m], const unsigned top[1][parts], float square[1][m], unsigned power[1][3]) {
  for (int k = 0; k < 1; k++)
    for (int j = 0; j < m; j++) {
      float s = 0.0f;
      for (int i = 0; i < splits; i++) s += slices[k][i][j];
      square[k][j] = s;
    }
  for (int i = 0; i < 1; i++) {
    unsigned by = 0xffffffffu, half = 0, rest = 0;
    for (int j = 0; j < parts; j++) {
      int up = UP(top[i][j]);
      if (FLOAT(up) < by) by = FLOAT(up);
      if (FLOAT(-(up / 2)) > half) half = FLOAT(-(up / 2));
      if (FLOAT(up / 2 - up) > rest) rest = FLOAT(up / 2 - up);
    }
    power[i][0] = by;
    power[i][1] = half;
    power[i][2] = rest;
  }
}
