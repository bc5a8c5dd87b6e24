// c = a · bᵀ of 1024 × 1024 through tiles; the tile of b is read down its columns.
#define N 1024
#define TILE 32
__global__ void productTile(const float* a, const float* b, float* c) {
  __shared__ float left[TILE][TILE];
  __shared__ float right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < N; t += TILE) {
    left[threadIdx.y][threadIdx.x] = a[row * N + t + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(blockIdx.x * TILE + threadIdx.y) * N + t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += left[threadIdx.y][k] * right[threadIdx.x][k];
    __syncthreads();
  }
  c[row * N + column] = sum;
}
