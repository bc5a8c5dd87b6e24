#pragma tesela sizes(n = 8, c = 64, h = 56, w = 56, o = 64)
void conv(int n, int c, int h, int w, int o, const float *x, const float *k, float *y) {
  for (int b = 0; b < n; b++) for (int f = 0; f < o; f++) for (int i = 0; i < h-2; i++) for (int j = 0; j < w-2; j++) {
    float s = 0;
    for (int d = 0; d < c; d++) for (int u = 0; u < 3; u++) for (int v = 0; v < 3; v++) s += x[((b*c+d)*h+i+u)*w+j+v]*k[((f*c+d)*3+u)*3+v];
    y[((b*o+f)*(h-2)+i)*(w-2)+j] = s;
  }
}
