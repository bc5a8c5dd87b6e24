// Brightness of an image of 2048 × 4096 pixels in three planes; threadIdx.x runs down.
#define W 4096
#define H 2048
__global__ void grayRows(const float* red, const float* green, const float* blue, float* gray) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= H || x >= W) return;
  int i = y * W + x;
  gray[i] = 0.299f * red[i] + 0.587f * green[i] + 0.114f * blue[i];
}
