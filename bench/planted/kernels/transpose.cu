// A square matrix turned through tiles of shared memory, whose rows are one element longer.
__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
  }
}
