// A Laplace operator on 4096 × 4096 points; threadIdx.x runs down.
#define N 4096
__global__ void laplaceRows(const float* __restrict__ u, float* v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i == 0 || j == 0 || i >= N - 1 || j >= N - 1) return;
  v[i * N + j] = u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] + u[i * N + j + 1] - 4.0f * u[i * N + j];
}
