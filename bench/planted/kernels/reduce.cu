// The sum of each block by halving, then of all by an atomic.
__global__ void reduce(const float *x, float *total, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) {
      part[t] += part[t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
    atomicAdd(&total[0], part[0]);
  }
}
