#pragma tesela sizes(b = 256, h = 1024)
static float sg(float x) {
  return 1/(1+expf(-x));
}
void lstm(int b, int h, const float *x, const float *hp, const float *w, const float *u, float *c, float *hn) {
  for (int i = 0; i < b; i++) for (int j = 0; j < h; j++) {
    float a[4];
    for (int g = 0; g < 4; g++) {
      float s = 0;
      for (int k = 0; k < h; k++) s += w[(g*h+j)*h+k]*x[i*h+k] + u[(g*h+j)*h+k]*hp[i*h+k];
      a[g] = s;
    }
    float cn = sg(a[1])*c[i*h+j] + sg(a[0])*tanhf(a[2]);
    c[i*h+j] = cn;
    hn[i*h+j] = sg(a[3])*tanhf(cn);
  }
}
