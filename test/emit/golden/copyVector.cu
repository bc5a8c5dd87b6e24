extern "C" __global__ void __launch_bounds__(32) copy_vector(
    const float* __restrict__ x,
    float* __restrict__ y,
    int n)
{
  const int i = (int)(blockIdx.x * 32u + threadIdx.x) * 4;
  if (i + 4 <= n) {
    const float4 v = *reinterpret_cast<const float4*>(&x[i]);
    *reinterpret_cast<float4*>(&y[i]) = make_float4(v.x * 2.0f, v.y * 2.0f, v.z * 2.0f, v.w * 2.0f);
  } else {
    for (int j = i; j < n; j++) {
      y[j] = x[j] * 2.0f;
    }
  }
}
