// c = a · b of 1024 × 1024, a row for each threadIdx.x.
#define N 1024
__global__ void productRows(const float* a, const float* b, float* c) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * N + column];
  c[row * N + column] = sum;
}
