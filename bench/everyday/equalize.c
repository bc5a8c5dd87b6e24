#pragma tesela sizes(n = 16777216)
void equalize(int n, const unsigned char *in, unsigned char *out) {
  int hist[256] = {0};
  int cdf[256];
  for (int i = 0; i < n; i++) hist[in[i]]++;
  int s = 0;
  for (int i = 0; i < 256; i++) {
    s += hist[i];
    cdf[i] = s;
  }
  for (int i = 0; i < n; i++) out[i] = (unsigned char)((float)cdf[in[i]] * 255.0f / n);
}
