// Sum of n numbers.
#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128) reduce_shared(
    const float* __restrict__ x,
    float* __restrict__ out,
    unsigned n)
{
  __shared__ __align__(16) float partial[128];
  const unsigned t = threadIdx.x;
  const unsigned block = blockIdx.x;
  float sum_ = 0.0f;
  const unsigned step = gridDim.x * 128u;
  for (unsigned i = block * 128u + t; i < n; i += step) {
    sum_ += x[i];
  }
  partial[t] = sum_;
  for (unsigned half_ = 64u;; half_ = half_ >> 1) {
    __syncthreads();
    if (half_ == 0u) {
      break;
    }
    if (t < half_) {
      partial[t] = partial[t] + partial[t + half_];
    }
  }
  if (t == 0u) {
    out[block] = partial[0];
  }
}

// Whether there is anything to launch; the grid, or an error when CUDA does not take it.
static bool grid_of(dim3& blocks, cudaError_t& error, long long x, long long y, long long z)
{
  if (x <= 0 || y <= 0 || z <= 0) return false;
  if (x > 2147483647 || y > 65535 || z > 65535) {
    error = cudaErrorInvalidConfiguration;
    return false;
  }
  blocks = dim3((unsigned)x, (unsigned)y, (unsigned)z);
  return true;
}

// x: n; total: one element.
extern "C" cudaError_t sum(
    const float* x,
    float* total,
    long long n,
    cudaStream_t stream)
{
  if (n < 1 || n > 2147483647) return cudaErrorInvalidValue;
  if (n < 129) {
    cudaError_t error = cudaSuccess;
    dim3 blocks;
    if (error == cudaSuccess && grid_of(blocks, error, 1, 1, 1)) {
      reduce_shared<<<blocks, dim3(128, 1, 1), 0, stream>>>(x, total, (unsigned)n);
      error = cudaGetLastError();
    }
    return error;
  }
  {
    cudaError_t error = cudaSuccess;
    dim3 blocks;
    float* partial = nullptr;
    if (error == cudaSuccess) error = cudaMallocAsync(reinterpret_cast<void**>(&partial), 4ull * (unsigned long long)(8), stream);
    if (error == cudaSuccess && grid_of(blocks, error, 8, 1, 1)) {
      reduce_shared<<<blocks, dim3(128, 1, 1), 0, stream>>>(x, partial, (unsigned)n);
      error = cudaGetLastError();
    }
    if (error == cudaSuccess && grid_of(blocks, error, 1, 1, 1)) {
      reduce_shared<<<blocks, dim3(128, 1, 1), 0, stream>>>(partial, total, (unsigned)8);
      error = cudaGetLastError();
    }
    if (partial != nullptr) cudaFreeAsync(partial, stream);
    return error;
  }
}
