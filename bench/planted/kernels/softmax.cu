// Softmax of rows, a block a row: maxima and sums within warps by shuffles, between them in shared memory.
__global__ void softmax(const float *x, float *y, int n) {
  __shared__ float best[8];
  __shared__ float sums[8];
  int t = threadIdx.x;
  float most = -1e30f;
  for (int i = t; i < n; i += 256) {
    most = fmaxf(most, x[blockIdx.x * n + i]);
  }
  for (int d = 16; d > 0; d /= 2) {
    most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
  }
  if (t % 32 == 0) {
    best[t / 32] = most;
  }
  __syncthreads();
  for (int w = 0; w < 8; w++) {
    most = fmaxf(most, best[w]);
  }
  float sum = 0.0f;
  for (int i = t; i < n; i += 256) {
    sum += expf(x[blockIdx.x * n + i] - most);
  }
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
  }
  if (t % 32 == 0) {
    sums[t / 32] = sum;
  }
  __syncthreads();
  float all = 0.0f;
  for (int w = 0; w < 8; w++) {
    all += sums[w];
  }
  for (int i = t; i < n; i += 256) {
    y[blockIdx.x * n + i] = expf(x[blockIdx.x * n + i] - most) / all;
  }
}
