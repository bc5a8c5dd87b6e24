#pragma tesela sizes(n = 2048, t = 100)
void wave2d(int n, int t, float *u, float *v, float *w) {
  for (int s = 0; s < t; s++) {
    for (int i = 1; i < n-1; i++) for (int j = 1; j < n-1; j++) w[i*n+j] = 2*v[i*n+j] - u[i*n+j] + 0.25f*(v[(i-1)*n+j]+v[(i+1)*n+j]+v[i*n+j-1]+v[i*n+j+1]-4*v[i*n+j]);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
      u[i*n+j] = v[i*n+j];
      v[i*n+j] = w[i*n+j];
    }
  }
}
