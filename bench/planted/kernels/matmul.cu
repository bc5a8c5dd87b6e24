// A product of matrices in tiles of 16 × 16, of any size.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[16][16];
  __shared__ float bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y;
  int col = blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (int from = 0; from < k; from += 16) {
    as[y][x] = row < m && from + x < k ? a[row * k + from + x] : 0.0f;
    bs[y][x] = from + y < k && col < n ? b[(from + y) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; i++) {
      sum += as[y][i] * bs[i][x];
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    c[row * n + col] = sum;
  }
}
