#pragma tesela sizes(c = 1024, h = 128, w = 128)
void maxpool(int c, int h, int w, const float *in, float *out) {
  for (int k = 0; k < c; k++) for (int y = 0; y < h/2; y++) for (int x = 0; x < w/2; x++) {
    float m = -1e30f;
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) m = fmaxf(m, in[(k*h+2*y+i)*w+2*x+j]);
    out[(k*(h/2)+y)*(w/2)+x] = m;
  }
}
