extern "C" __global__ void __launch_bounds__(32) histogram(
    const unsigned* __restrict__ x,
    unsigned* __restrict__ bins,
    unsigned n)
{
  __shared__ __align__(16) unsigned counts[16];
  for (unsigned at = threadIdx.x; at < 16u; at += 32u) {
    counts[at] = 0;
  }
  __syncthreads();
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 32u + t;
  if (i < n) {
    atomicAdd(&counts[x[i] & 15u], 1u);
  }
  __syncthreads();
  if (t < 16u) {
    const unsigned old = *(volatile unsigned*)(&counts[t]);
    atomicAdd(&bins[t], old);
  }
}
