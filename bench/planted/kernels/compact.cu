// Keeps what is positive: places are taken from a counter of the block, blocks' parts from one of all.
__global__ void compact(const float *x, float *kept, int *count, int n) {
  __shared__ int own;
  __shared__ int base;
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  if (t == 0) {
    own = 0;
  }
  __syncthreads();
  int place = -1;
  if (i < n && x[i] > 0.5f) {
    place = atomicAdd(&own, 1);
  }
  __syncthreads();
  if (t == 0) {
    base = atomicAdd(&count[0], own);
  }
  __syncthreads();
  if (place >= 0) {
    kept[base + place] = x[i];
  }
}
