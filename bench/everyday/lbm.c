#pragma tesela sizes(h = 1024, w = 1024)
void lbm(int h, int w, const float f[9][h][w], float g[9][h][w]) {
  static const int cx[9] = {0,1,0,-1,0,1,-1,-1,1}, cy[9] = {0,0,1,0,-1,1,1,-1,-1};
  static const float wt[9] = {4.f/9,1.f/9,1.f/9,1.f/9,1.f/9,1.f/36,1.f/36,1.f/36,1.f/36};
  for (int y = 1; y < h-1; y++) for (int x = 1; x < w-1; x++) {
    float rho = 0, ux = 0, uy = 0, q[9];
    for (int k = 0; k < 9; k++) { q[k] = f[k][y-cy[k]][x-cx[k]]; rho += q[k]; ux += cx[k]*q[k]; uy += cy[k]*q[k]; }
    ux /= rho; uy /= rho;
    float uu = 1.5f*(ux*ux+uy*uy);
    for (int k = 0; k < 9; k++) { float cu = 3*(cx[k]*ux+cy[k]*uy); g[k][y][x] = q[k] - 0.6f*(q[k] - wt[k]*rho*(1+cu+0.5f*cu*cu-uu)); }
  }
}
