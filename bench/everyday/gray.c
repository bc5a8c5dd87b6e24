#pragma tesela sizes(n = 16777216)
void gray(int n, const unsigned char *rgb, unsigned char *g) {
  for (int i = 0; i < n; i++) g[i] = (77*rgb[3*i] + 150*rgb[3*i+1] + 29*rgb[3*i+2]) >> 8;
}
