#pragma tesela sizes(h = 4096, w = 4096)
void dilate(int h, int w, const unsigned char *in, unsigned char *out) {
  for (int y = 2; y < h-2; y++) for (int x = 2; x < w-2; x++) {
    unsigned char m = 0;
    for (int i = -2; i <= 2; i++) for (int j = -2; j <= 2; j++) if (in[(y+i)*w+x+j] > m) m = in[(y+i)*w+x+j];
    out[y*w+x] = m;
  }
}
