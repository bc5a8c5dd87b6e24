#pragma tesela sizes(h = 2048, w = 2048)
void mandel(int h, int w, int *it) {
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    float cr = -2 + 3.0f*x/w, ci = -1.5f + 3.0f*y/h, zr = 0, zi = 0;
    int k = 0;
    while (k < 256 && zr*zr+zi*zi < 4) {
      float t = zr*zr-zi*zi+cr;
      zi = 2*zr*zi+ci;
      zr = t;
      k++;
    }
    it[y*w+x] = k;
  }
}
