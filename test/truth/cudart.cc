// A stand-in for libcudart.so.13 that runs kernels nowhere: memory is the host's, launches do nothing but count. With it the
// recorder (bench/truth/record.cc) is tested where there is no GPU.
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {
struct Config { dim3 grid, block; size_t shared; cudaStream_t stream; } config;
std::map<const void*, std::string> functions;
std::map<const void*, std::pair<void*, size_t>> variables;
bool profiling = false;
cudaError_t launched(const void*) { printf("launched%s\n", profiling ? " under the profiler" : ""); return cudaSuccess; }
}  // namespace

extern "C" {
void** __cudaRegisterFatBinary(void*) { static void* handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) { functions[host] = name; }
void __cudaRegisterVar(void**, char* host, char*, const char*, int, size_t bytes, int, int) { variables[host] = {calloc(1, bytes), bytes}; }
cudaError_t __cudaGetKernel(cudaKernel_t* k, const void* host) { *k = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host)); return cudaSuccess; }
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) { config = {grid, block, shared, stream}; return 0; }
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  *grid = config.grid; *block = config.block; *shared = config.shared; *static_cast<cudaStream_t*>(stream) = config.stream;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t k, dim3, dim3, void**, size_t, cudaStream_t) { return launched(k); }
cudaError_t cudaLaunchKernel(const void* f, dim3, dim3, void**, size_t, cudaStream_t) { return launched(f); }
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* f, void**) { return launched(f); }
cudaError_t cudaMalloc(void** p, size_t n) { *p = calloc(1, n); return cudaSuccess; }
cudaError_t cudaFree(void* p) { free(p); return cudaSuccess; }
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind) { memcpy(to, from, n); return cudaSuccess; }
cudaError_t cudaMemcpyToSymbol(const void* s, const void* from, size_t n, size_t at, cudaMemcpyKind) { memcpy(static_cast<char*>(variables[s].first) + at, from, n); return cudaSuccess; }
cudaError_t cudaMemcpyFromSymbol(void* to, const void* s, size_t n, size_t at, cudaMemcpyKind) { memcpy(to, static_cast<char*>(variables[s].first) + at, n); return cudaSuccess; }
cudaError_t cudaGetSymbolAddress(void** p, const void* s) { *p = variables[s].first; return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorString(cudaError_t e) { return e == cudaSuccess ? "no error" : "error"; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* s) { *s = cudaStreamCaptureStatusNone; return cudaSuccess; }
cudaError_t cudaFuncGetName(const char** name, const void* f) { *name = functions[f].c_str(); return cudaSuccess; }
/** Every kernel of the test takes two pointers and an int. */
cudaError_t cudaFuncGetParamInfo(const void*, size_t i, size_t* at, size_t* bytes) { *at = 8 * i; *bytes = i < 2 ? 8 : 4; return i < 3 ? cudaSuccess : cudaErrorInvalidValue; }
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, const void*) { memset(a, 0, sizeof *a); a->numRegs = 12; return cudaSuccess; }
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, const void*, int, size_t) { *n = 8; return cudaSuccess; }
cudaError_t cudaProfilerStart() { profiling = true; return cudaSuccess; }
cudaError_t cudaProfilerStop() { profiling = false; return cudaSuccess; }
}
