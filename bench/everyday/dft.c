#pragma tesela sizes(n = 8192)
void dft(int n, const float *re, const float *im, float *ore, float *oim) {
  for (int k = 0; k < n; k++) {
    float a = 0, b = 0;
    for (int t = 0; t < n; t++) {
      float w = -6.2831853f * ((k*t) % n) / n;
      float c = cosf(w), s = sinf(w);
      a += re[t]*c - im[t]*s;
      b += re[t]*s + im[t]*c;
    }
    ore[k] = a;
    oim[k] = b;
  }
}
