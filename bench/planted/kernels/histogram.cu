// Counts of bytes: in shared memory first, then added to memory.
__global__ void histogram(const unsigned *data, unsigned *bins, int n) {
  __shared__ unsigned own[256];
  int t = threadIdx.x;
  own[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
    atomicAdd(&own[data[i] & 255u], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[t], own[t]);
}
