static __device__ __forceinline__ float warp_add_f32(float v, unsigned mask)
{
  if (mask == 0xffffffffu) {
    #pragma unroll
    for (int step = 16; step > 0; step >>= 1) {
      v = v + __shfl_xor_sync(mask, v, step);
    }
    return v;
  }
  float total = __shfl_sync(mask, v, __ffs(mask) - 1);
  for (unsigned rest = mask & (mask - 1u); rest != 0u; rest &= rest - 1u) {
    const float other = __shfl_sync(mask, v, __ffs(rest) - 1);
    total = total + other;
  }
  return total;
}

extern "C" __global__ void __launch_bounds__(64) reduce_subgroup(
    const float* __restrict__ x,
    float* __restrict__ out,
    unsigned n)
{
  const unsigned i = blockIdx.x * 64u + threadIdx.x;
  float value = 0.0f;
  if (i < n) {
    value = x[i];
  }
  const float sum = warp_add_f32(value, 0xffffffffu);
  if (threadIdx.x % 32u == 0u) {
    atomicAdd(&out[0], sum);
  }
}
