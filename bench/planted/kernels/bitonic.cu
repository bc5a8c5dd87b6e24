// Sorts 512 keys of each block in shared memory (Batcher's bitonic sort).
__global__ void bitonic(unsigned *keys) {
  __shared__ unsigned own[512];
  int t = threadIdx.x;
  int from = blockIdx.x * 512;
  own[t] = keys[from + t];
  own[t + 256] = keys[from + t + 256];
  __syncthreads();
  for (int size = 2; size <= 512; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      int low = 2 * t - (t & (stride - 1));
      bool up = (low & size) == 0;
      unsigned a = own[low];
      unsigned b = own[low + stride];
      if ((a > b) == up) {
        own[low] = b;
        own[low + stride] = a;
      }
      __syncthreads();
    }
  }
  keys[from + t] = own[t];
  keys[from + t + 256] = own[t + 256];
}
