extern "C" __global__ void __launch_bounds__(64) saxpy(
    const float* __restrict__ x,
    float* __restrict__ y,
    int n,
    float a)
{
  const int i = (int)(blockIdx.x * 64u + threadIdx.x);
  if (i < n) {
    y[i] = y[i] + a * x[i];
  }
}
