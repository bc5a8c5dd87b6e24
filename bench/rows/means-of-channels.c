#pragma tesela sizes(M = 64, N = 64, H = 256, W = 256)
void means_of_channels(int M, int N, int H, int W, const float x[M][H][W][3], float y[3]) {
  for (int c = 0; c < 3; c++) {
    float s = 0;
    for (int n = 0; n < M; n++) for (int h = 0; h < H; h++) for (int w = 0; w < W; w++) s += x[n][h][w][c];
    y[c] = s / (M * H * W);
  }
}
