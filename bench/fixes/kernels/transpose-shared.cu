// Turns 4096 × 4096 floats through tiles of 32 × 32 in shared memory.
#define N 4096
#define TILE 32
__global__ void transposeShared(float* out, const float* in) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j];
}
