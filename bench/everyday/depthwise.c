#pragma tesela sizes(c = 1024, h = 112, w = 112)
void depthwise(int c, int h, int w, const float *x, const float *k, float *y) {
  for (int d = 0; d < c; d++) for (int i = 1; i < h-1; i++) for (int j = 1; j < w-1; j++) {
    float s = 0;
    for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) s += x[(d*h+i+u-1)*w+j+v-1]*k[(d*3+u)*3+v];
    y[(d*h+i)*w+j] = s;
  }
}
