// One step of Jacobi's method on a grid, whose border stays.
__global__ void jacobi(const float *u, float *v, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    v[y * n + x] = 0.25f * (u[y * n + x - 1] + u[y * n + x + 1] + u[(y - 1) * n + x] + u[(y + 1) * n + x]);
  }
}
