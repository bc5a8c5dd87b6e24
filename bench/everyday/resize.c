#pragma tesela sizes(h = 2048, w = 2048, H = 4096, W = 4096)
void resize(int h, int w, int H, int W, const float *in, float *out) {
  float sy = (float)h / H, sx = (float)w / W;
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
    float fy = y * sy, fx = x * sx;
    int y0 = (int)fy, x0 = (int)fx;
    int y1 = y0 + 1 < h ? y0 + 1 : h - 1, x1 = x0 + 1 < w ? x0 + 1 : w - 1;
    float ay = fy - y0, ax = fx - x0;
    out[y*W+x] = (1-ay)*((1-ax)*in[y0*w+x0] + ax*in[y0*w+x1]) + ay*((1-ax)*in[y1*w+x0] + ax*in[y1*w+x1]);
  }
}
