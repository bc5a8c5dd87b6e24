// Launches the kernels of the recursiveGaussian sample without its window, on a small picture, both ways.
#include "recursiveGaussian_cuda.cu"
#include <vector>

int main() {
  const int width = 192, height = 128;
  std::vector<uint> host(width * height);
  for (size_t i = 0; i < host.size(); i++) host[i] = uint(i) * 2654435761u;
  uint* picture[3];
  for (uint*& p : picture) { checkCudaErrors(cudaMalloc(&p, host.size() * 4)); checkCudaErrors(cudaMemcpy(p, host.data(), host.size() * 4, cudaMemcpyHostToDevice)); }
  gaussianFilterRGBA(picture[0], picture[1], picture[2], width, height, 10.0f, 0, 64);
  checkCudaErrors(cudaDeviceSynchronize());
}
