#pragma tesela sizes(h = 4096, w = 4096)
void integral(int h, int w, const float *a, float *s) {
  for (int i = 0; i < h; i++) {
    float r = 0;
    for (int j = 0; j < w; j++) {
      r += a[i*w+j];
      s[i*w+j] = r + (i > 0 ? s[(i-1)*w+j] : 0);
    }
  }
}
