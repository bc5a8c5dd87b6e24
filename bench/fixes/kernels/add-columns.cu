// Adds two matrices of 4096 × 4096; threadIdx.x is the row.
#define N 4096
__global__ void addColumns(const float* a, const float* b, float* c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < N && column < N) c[row * N + column] = a[row * N + column] + b[row * N + column];
}
