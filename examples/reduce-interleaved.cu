__global__ void reduce(float *input, float *output) {
  __shared__ float partialSum[256];
  unsigned int t = threadIdx.x;
  partialSum[t] = input[blockIdx.x * blockDim.x + t];
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    if (t % (2 * stride) == 0)
      partialSum[t] += partialSum[t + stride];
  }
  if (t == 0) output[blockIdx.x] = partialSum[0];
}
