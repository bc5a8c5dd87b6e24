// Turns 4096 × 4096 floats; neighbouring threads write one row apart.
#define N 4096
__global__ void transposeRows(float* out, const float* in) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * N + y] = in[y * N + x];
}
