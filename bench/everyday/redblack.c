#pragma tesela sizes(n = 4096, t = 10)
void redblack(int n, int t, float *u, const float *f) {
  for (int s = 0; s < t; s++) for (int c = 0; c < 2; c++) for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) if ((i + j) % 2 == c) u[i*n+j] = 0.25f*(u[(i-1)*n+j]+u[(i+1)*n+j]+u[i*n+j-1]+u[i*n+j+1]-f[i*n+j]);
}
