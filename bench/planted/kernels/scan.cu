// An inclusive prefix sum of each block between two arrays (Hillis and Steele).
__global__ void scan(const float *in, float *out, float *sums) {
  __shared__ float sum[2][256];
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  int now = 0;
  sum[now][t] = in[i];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    float v = sum[now][t];
    if (t >= step) {
      v += sum[now][t - step];
    }
    now = 1 - now;
    sum[now][t] = v;
    __syncthreads();
  }
  out[i] = sum[now][t];
  if (t == 255) {
    sums[blockIdx.x] = sum[now][t];
  }
}
