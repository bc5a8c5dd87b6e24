#pragma tesela sizes(h = 2048, w = 2048, s = 0.1)
void bilateral(int h, int w, float s, const float *in, float *out) {
  for (int y = 3; y < h-3; y++) for (int x = 3; x < w-3; x++) {
    float c = in[y*w+x], a = 0, b = 0;
    for (int i = -3; i <= 3; i++) for (int j = -3; j <= 3; j++) {
      float v = in[(y+i)*w+x+j], d = v - c, g = expf(-(i*i+j*j)*0.1f - d*d*s);
      a += g*v;
      b += g;
    }
    out[y*w+x] = a / b;
  }
}
