extern "C" __global__ void __launch_bounds__(128) reduce_shared(
    const float* __restrict__ x,
    float* __restrict__ out,
    unsigned n)
{
  __shared__ __align__(16) float partial[128];
  const unsigned t = threadIdx.x;
  const unsigned block = blockIdx.x;
  float sum = 0.0f;
  const unsigned step = gridDim.x * 128u;
  for (unsigned i = block * 128u + t; i < n; i += step) {
    sum += x[i];
  }
  partial[t] = sum;
  for (unsigned half_ = 64u;; half_ = half_ >> 1) {
    __syncthreads();
    if (half_ == 0u) {
      break;
    }
    if (t < half_) {
      partial[t] = partial[t] + partial[t + half_];
    }
  }
  if (t == 0u) {
    out[block] = partial[0];
  }
}
