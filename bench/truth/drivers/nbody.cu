// Launches the kernels of the nbody sample without its window: float and double, once each.
#include "bodysystemcuda.cu"
#include <vector>

template <typename T> void step(unsigned bodies) {
  std::vector<T> host(4 * bodies);
  unsigned seed = 1;
  for (T& x : host) { seed = seed * 1664525u + 1013904223u; x = T(seed >> 8) / T(1 << 24); }
  DeviceData<T> d{};
  for (T** p : {&d.dPos[0], &d.dPos[1], &d.dVel}) {
    checkCudaErrors(cudaMalloc(p, host.size() * sizeof(T)));
    checkCudaErrors(cudaMemcpy(*p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  d.numBodies = bodies;
  checkCudaErrors(setSofteningSquared(T(0.01)));
  integrateNbodySystem<T>(&d, nullptr, 0, 0.016f, 1.0f, bodies, 1, 256, false);
  checkCudaErrors(cudaDeviceSynchronize());
}

int main() { step<float>(1024); step<double>(512); }
