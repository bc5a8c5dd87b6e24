// What the driver says of occupancy: blocks per multiprocessor by registers, block size and dynamic shared memory, and for
// each the registers that the kernel really has. Prints "registers,static shared,threads,dynamic shared,blocks" lines.
// Usage: nvcc -O3 -arch=sm_90 occupancy.cu -o occupancy && ./occupancy > occupancy.csv
#include <cstdio>
#include <utility>

/** Keeps about N values alive at once. */
template <int N> __global__ void alive(const float* in, float* out, int n) {
  float r[N];
  #pragma unroll
  for (int i = 0; i < N; i++) r[i] = in[threadIdx.x + i * n];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < N; i++) out[threadIdx.x + i * n] = r[i] * r[(i * 7 + 3) % N];
}

template <int N> void ask() {
  cudaFuncAttributes a; cudaFuncGetAttributes(&a, alive<N>);
  cudaFuncSetAttribute(alive<N>, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
  for (int threads : {32, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 640, 736, 768, 800, 1024})
    for (int shared : {0, 1000, 4096, 12345, 33000, 48 * 1024, 65000, 100 * 1024, 113 * 1024, 150000, 227 * 1024}) {
      int blocks = -1;
      if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, alive<N>, threads, shared) != cudaSuccess) { cudaGetLastError(); blocks = -1; }
      printf("%d,%d,%d,%d,%d\n", a.numRegs, (int)a.sharedSizeBytes, threads, shared, blocks);
    }
}
template <int... I> void all(std::integer_sequence<int, I...>) { (ask<1 + I * 5>(), ...); }
int main() { all(std::make_integer_sequence<int, 26>()); }
