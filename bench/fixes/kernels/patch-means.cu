// Means of the rows of 32 × 32 patches, a warp a patch.
__global__ void patchMeans(const float* patches, float* means) {
  __shared__ float patch[32][32];
  for (int j = 0; j < 32; j++) patch[j][threadIdx.x] = patches[blockIdx.x * 1024 + j * 32 + threadIdx.x];
  __syncwarp();
  float sum = 0.0f;
  for (int i = 0; i < 32; i++) sum += patch[threadIdx.x][i];
  means[blockIdx.x * 32 + threadIdx.x] = sum / 32.0f;
}
