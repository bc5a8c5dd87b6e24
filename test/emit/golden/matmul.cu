extern "C" __global__ void __launch_bounds__(256) matmul(
    const float* __restrict__ A,
    const float* __restrict__ B,
    float* __restrict__ C,
    int m,
    int n,
    int depth)
{
  __shared__ __align__(16) float tileA[256];
  __shared__ __align__(16) float tileB[272];
  const int tx = (int)threadIdx.x;
  const int ty = (int)threadIdx.y;
  const int row = (int)blockIdx.y * 16 + ty;
  const int col = (int)blockIdx.x * 16 + tx;
  float acc = 0.0f;
  // one tile of the inner dimension
  for (int k0 = 0; k0 < depth; k0 += 16) {
    const int ka = k0 + tx;
    const int kb = k0 + ty;
    float a = 0.0f;
    float b = 0.0f;
    if ((row < m) & (ka < depth)) {
      a = A[row * depth + ka];
    }
    if ((kb < depth) & (col < n)) {
      b = B[kb * n + col];
    }
    tileA[ty * 16 + tx] = a;
    tileB[ty * 17 + tx] = b;
    __syncthreads();
    for (int kk = 0; kk < 16; kk++) {
      acc = fmaf(tileA[ty * 16 + kk], tileB[kk * 17 + tx], acc);
    }
    __syncthreads();
  }
  if ((row < m) & (col < n)) {
    C[row * n + col] = acc;
  }
}
