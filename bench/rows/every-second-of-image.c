#pragma tesela sizes(M = 256, C = 64, H = 64, W = 64)
void every_second_of_image(int M, int C, int H, int W, const float x[M][C][H][W], float y[M][C]) {
  for (int n = 0; n < M; n++) for (int c = 0; c < C; c++) {
    float s = 0;
    for (int h = 0; h < H; h += 2) for (int w = 0; w < W; w += 2) s += x[n][c][h][w];
    y[n][c] = s;
  }
}
