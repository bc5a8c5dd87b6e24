// Fills a matrix whose elements are more than 32 bits can number.
__global__ void fill(char *a, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) {
    a[(size_t)r * cols + c] = 1;
  }
}
