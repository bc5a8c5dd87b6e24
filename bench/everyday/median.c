#pragma tesela sizes(h = 4096, w = 4096)
static inline float mn(float a, float b) {
  return a < b ? a : b;
}
static inline float mx(float a, float b) {
  return a < b ? b : a;
}
void median(int h, int w, const float *in, float *out) {
  for (int y = 1; y < h-1; y++) for (int x = 1; x < w-1; x++) {
    float v[9];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) v[3*i+j] = in[(y+i-1)*w+x+j-1];
    for (int i = 0; i < 5; i++) for (int j = i+1; j < 9; j++) {
      float a = mn(v[i], v[j]), b = mx(v[i], v[j]);
      v[i] = a;
      v[j] = b;
    }
    out[y*w+x] = v[4];
  }
}
