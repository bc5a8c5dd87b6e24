#pragma tesela sizes(n = 384)
void stencil3d(int n, const float a[n][n][n], float b[n][n][n]) {
  for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) for (int k = 1; k < n-1; k++) b[i][j][k] = 0.4f*a[i][j][k] + 0.1f*(a[i-1][j][k]+a[i+1][j][k]+a[i][j-1][k]+a[i][j+1][k]+a[i][j][k-1]+a[i][j][k+1]);
}
