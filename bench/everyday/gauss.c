#pragma tesela sizes(h = 4096, w = 4096)
void gauss(int h, int w, const float *in, float *tmp, float *out) {
  static const float k[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
  for (int y = 0; y < h; y++) for (int x = 2; x < w - 2; x++) {
    float s = 0;
    for (int d = -2; d <= 2; d++) s += k[d+2]*in[y*w+x+d];
    tmp[y*w+x] = s;
  }
  for (int y = 2; y < h - 2; y++) for (int x = 2; x < w - 2; x++) {
    float s = 0;
    for (int d = -2; d <= 2; d++) s += k[d+2]*tmp[(y+d)*w+x];
    out[y*w+x] = s;
  }
}
