#pragma tesela sizes(h = 4096, w = 4096)
void sobel(int h, int w, const unsigned char *in, unsigned char *out) {
  for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
    int gx = -in[(y-1)*w+x-1] + in[(y-1)*w+x+1] - 2*in[y*w+x-1] + 2*in[y*w+x+1] - in[(y+1)*w+x-1] + in[(y+1)*w+x+1];
    int gy = -in[(y-1)*w+x-1] - 2*in[(y-1)*w+x] - in[(y-1)*w+x+1] + in[(y+1)*w+x-1] + 2*in[(y+1)*w+x] + in[(y+1)*w+x+1];
    int m = abs(gx) + abs(gy);
    out[y*w+x] = m > 255 ? 255 : m;
  }
}
