// What one NVIDIA GPU is made of, by microbenchmarks: latencies, bandwidths, issue rates, the bank and tag rules, atomics,
// launches. Prints one JSON object a line: {"name", "value", "unit"}; names with "/" are points of a sweep.
// Usage: nvcc -O3 -arch=sm_90 micro.cu -o micro && ./micro > micro.jsonl
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#define OK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(1); } } while (0)

static void say(const std::string& name, double value, const char* unit) { printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"}\n", name.c_str(), value, unit); fflush(stdout); }

static int sms;
template <class F> double medianNs(F launch, int samples = 9, double atLeastNs = 2e6) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  launch(); OK(cudaDeviceSynchronize());
  cudaEventRecord(a); launch(); cudaEventRecord(b); cudaEventSynchronize(b);
  float ms; cudaEventElapsedTime(&ms, a, b);
  int reps = std::max(1, std::min(2000, (int)(atLeastNs / std::max(1e3, ms * 1e6))));
  std::vector<double> t;
  for (int s = 0; s < samples; s++) {
    cudaEventRecord(a); for (int r = 0; r < reps; r++) launch(); cudaEventRecord(b); cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b); t.push_back(ms * 1e6 / reps);
  }
  OK(cudaGetLastError());
  std::sort(t.begin(), t.end()); cudaEventDestroy(a); cudaEventDestroy(b);
  return t[t.size() / 2];
}

// ---- clock under load ------------------------------------------------------------------------------------------------
__global__ void spin(long long clocks, float* out) { long long t = clock64(); float x = threadIdx.x; while (clock64() - t < clocks) x = x * 1.0001f + 1; if (x == 1e30f) *out = x; }
static double clockHz(float* out) {
  const long long n = 20000000; double ns = medianNs([&] { spin<<<sms, 128>>>(n, out); }, 5); return n / ns * 1e9;
}

// ---- latency by pointer chase ------------------------------------------------------------------------------------------
template <bool Cached> __global__ void chase(const uint64_t* start, int steps, uint64_t* out, long long* clocks) {
  const uint64_t* p = start;
  for (int i = 0; i < steps / 4; i++) p = (const uint64_t*)(Cached ? __ldca(p) : __ldcg(p));
  long long t = clock64();
  #pragma unroll 8
  for (int i = 0; i < steps; i++) p = (const uint64_t*)(Cached ? __ldca(p) : __ldcg(p));
  *clocks = clock64() - t; *out = (uint64_t)p;
}
__global__ void chaseShared(int steps, uint32_t* out, long long* clocks) {
  __shared__ uint32_t next[1024];
  for (int i = 0; i < 1024; i++) next[i] = (i + 33) % 1024;
  uint32_t p = 0; long long t = clock64();
  #pragma unroll 8
  for (int i = 0; i < steps; i++) p = next[p];
  *clocks = clock64() - t; *out = p;
}
static double latency(size_t bytes, bool cached, size_t stride = 128) {
  size_t n = bytes / stride; std::vector<uint32_t> order(n); std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937(7));
  std::vector<char> host(bytes); char* dev; OK(cudaMalloc(&dev, bytes));
  for (size_t i = 0; i < n; i++) *(uint64_t*)(host.data() + order[i] * stride) = (uint64_t)(dev + order[(i + 1) % n] * stride);
  OK(cudaMemcpy(dev, host.data(), bytes, cudaMemcpyHostToDevice));
  uint64_t* out; long long* clocks; OK(cudaMalloc(&out, 8)); OK(cudaMalloc(&clocks, 8));
  // Enough steps to go once through what could stay in a cache; from a new place every time, where the array is larger than any.
  const int steps = (int)std::min<size_t>(600000, std::max<size_t>(4096, n)); std::vector<double> r;
  for (int i = 0; i < 5; i++) {
    const uint64_t* from = (uint64_t*)(dev + order[(size_t)i * steps * 5 / 4 % n] * stride);
    if (cached) chase<true><<<1, 1>>>(from, steps, out, clocks); else chase<false><<<1, 1>>>(from, steps, out, clocks);
    long long c; OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); r.push_back((double)c / steps);
  }
  std::sort(r.begin(), r.end()); cudaFree(dev); cudaFree(out); cudaFree(clocks); return r[2];
}

// ---- dependent latency and throughput of arithmetic --------------------------------------------------------------------
enum Op { FFMA, FADD, FMUL, IADD, IMAD, LOP, SHF, MUFU_RCP, MUFU_EX2, MUFU_SIN, MUFU_SQRT, F2I, I2F, DFMA, HFMA2, SHFL, POPC, FMNMX, ISETP_SEL, IMUL_HI, PRMT, I64ADD, FDIV, IDIV, VOTE, FSQRT, EXPF };
static const char* opNames[] = {"ffma", "fadd", "fmul", "iadd+xor", "imad", "lop3", "shf", "mufu.rcp+fadd", "mufu.ex2", "mufu.sin", "mufu.rsq", "f2i", "i2f", "dfma", "hfma2", "shfl", "popc", "fmnmx", "setp+sel+xor", "imul.hi", "prmt", "iadd64+xor64", "fdiv", "idiv", "vote", "sqrtf", "expf"};
template <int O> __device__ __forceinline__ void step(uint32_t& x, uint32_t k) {
  if (O == FFMA) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+r"(x) : "r"(k));
  else if (O == FADD) asm volatile("add.rn.f32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == FMUL) asm volatile("mul.rn.f32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == IADD) asm volatile("add.u32 %0, %0, %1; xor.b32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == IMAD) asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(k));
  else if (O == LOP) asm volatile("lop3.b32 %0, %0, %1, %1, 0x96;" : "+r"(x) : "r"(k));
  else if (O == SHF) asm volatile("shf.l.wrap.b32 %0, %0, %1, %1;" : "+r"(x) : "r"(k));
  else if (O == MUFU_RCP) asm volatile("rcp.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == MUFU_EX2) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+r"(x));
  else if (O == MUFU_SIN) asm volatile("sin.approx.ftz.f32 %0, %0;" : "+r"(x));
  else if (O == MUFU_SQRT) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+r"(x));
  else if (O == F2I) asm volatile("cvt.rzi.s32.f32 %0, %0;" : "+r"(x));
  else if (O == I2F) asm volatile("cvt.rn.f32.s32 %0, %0;" : "+r"(x));
  else if (O == HFMA2) asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(k));
  else if (O == SHFL) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x));
  else if (O == POPC) asm volatile("popc.b32 %0, %0;" : "+r"(x));
  else if (O == FMNMX) asm volatile("min.f32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == ISETP_SEL) asm volatile("{.reg .pred p; setp.lt.s32 p, %0, %1; selp.b32 %0, %1, %0, p; xor.b32 %0, %0, %1;}" : "+r"(x) : "r"(k));
  else if (O == IMUL_HI) asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == PRMT) asm volatile("prmt.b32 %0, %0, %1, 0x3210;" : "+r"(x) : "r"(k));
  else if (O == FDIV) asm volatile("div.rn.f32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == FSQRT) asm volatile("sqrt.rn.f32 %0, %0;" : "+r"(x));
  else if (O == EXPF) x = __float_as_uint(expf(__uint_as_float(x)));
  else if (O == IDIV) asm volatile("div.s32 %0, %0, %1;" : "+r"(x) : "r"(k));
  else if (O == VOTE) asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(x));
}
template <int O> __device__ __forceinline__ void step64(uint64_t& x, uint64_t k) {
  if (O == DFMA) asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+l"(x) : "l"(k));
  else asm volatile("add.u64 %0, %0, %1; xor.b64 %0, %0, %1;" : "+l"(x) : "l"(k));
}
template <int O, int Chains> __global__ void arith(int rounds, uint32_t k, uint32_t* out, long long* clocks) {
  uint32_t x[Chains]; uint64_t y[Chains];
  for (int c = 0; c < Chains; c++) { x[c] = threadIdx.x + c; y[c] = x[c]; }
  __syncthreads(); long long t = clock64();
  for (int i = 0; i < rounds; i++) {
    #pragma unroll
    for (int u = 0; u < 16; u++)
      #pragma unroll
      for (int c = 0; c < Chains; c++) { if (O == DFMA || O == I64ADD) step64<O>(y[c], k); else step<O>(x[c], k); }
  }
  __syncthreads(); t = clock64() - t;
  if (threadIdx.x == 0 && blockIdx.x == 0) *clocks = t;
  uint32_t s = 0; for (int c = 0; c < Chains; c++) s += x[c] + (uint32_t)y[c];
  out[threadIdx.x] = s;
}
template <int O> void arithmetic(uint32_t* out, long long* clocks) {
  long long c; const int rounds = 64;
  for (int i = 0; i < 2; i++) { arith<O, 1><<<1, 32>>>(rounds, 3, out, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
  say(std::string("latency.op/") + opNames[O], (double)c / (rounds * 16), "clocks");
  for (int i = 0; i < 2; i++) { arith<O, 4><<<1, 1024>>>(rounds, 3, out, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
  say(std::string("rate.op/") + opNames[O], 1024.0 * 4 * rounds * 16 / c, "lanes/clock/SM");
}

// ---- shared memory: the bank rule ---------------------------------------------------------------------------------------
__device__ uint32_t fold(uint32_t v) { return v; }
__device__ uint32_t fold(uint2 v) { return v.x ^ v.y; }
__device__ uint32_t fold(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
__device__ uint32_t spread(uint32_t, uint32_t x) { return x; }
__device__ uint2 spread(uint2, uint32_t x) { return make_uint2(x, x); }
__device__ uint4 spread(uint4, uint32_t x) { return make_uint4(x, x, x, x); }
/** `zero` is 0, which the compiler cannot know: every access has an address of its own. */
template <class T, bool Store> __global__ void banks(int stride, int rounds, int zero, uint32_t* out, long long* clocks) {
  extern __shared__ __align__(16) char raw[]; T* s = (T*)raw;
  int at = (threadIdx.x % 32) * stride; uint32_t sum = 0;
  for (int i = threadIdx.x; i < 32 * stride + 32; i += blockDim.x) s[i] = T{};
  __syncthreads(); long long t = clock64();
  for (int i = 0; i < rounds; i++) {
    #pragma unroll
    for (int u = 0; u < 16; u++) {
      at += zero;
      if (Store) { s[at] = spread(T{}, i + u); } else sum ^= fold(s[at]);
    }
  }
  __syncthreads(); t = clock64() - t;
  if (threadIdx.x == 0) *clocks = t;
  out[threadIdx.x] = sum + fold(s[threadIdx.x % 32]);
}
template <class T, bool Store> void bankSweep(const char* name, long long* clocks) {
  uint32_t* out; OK(cudaMalloc(&out, 4096));
  OK(cudaFuncSetAttribute(banks<T, Store>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  for (int stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 33}) {
    size_t bytes = (32 * stride + 64) * sizeof(T); long long c;
    for (int i = 0; i < 2; i++) { banks<T, Store><<<1, 512, bytes>>>(stride, 64, 0, out, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say(std::string("shared.") + (Store ? "store." : "load.") + name + "/" + std::to_string(stride), (double)c / (64 * 16 * 16), "clocks/warp access");
  }
  cudaFree(out);
}

// ---- global memory that hits in L1: data and tag rule --------------------------------------------------------------------
template <class T> __global__ void l1(const T* in, int stride, int rounds, int zero, uint32_t* out, long long* clocks) {
  int at = (threadIdx.x % 32) * stride; uint32_t sum = fold(__ldca(in + at));
  __syncthreads(); long long t = clock64();
  for (int i = 0; i < rounds; i++) {
    #pragma unroll
    for (int u = 0; u < 16; u++) { at += zero; sum ^= fold(__ldca(in + at)); }
  }
  __syncthreads(); t = clock64() - t;
  if (threadIdx.x == 0) *clocks = t;
  out[threadIdx.x] = sum;
}
template <class T> void l1Sweep(const char* name, long long* clocks) {
  T* in; uint32_t* out; OK(cudaMalloc(&in, 1 << 20)); OK(cudaMemset(in, 0, 1 << 20)); OK(cudaMalloc(&out, 4096));
  for (int stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 17, 24, 31, 32, 33, 48, 64}) {
    long long c;
    for (int i = 0; i < 2; i++) { l1<T><<<1, 512>>>(in, stride, 64, 0, out, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say(std::string("l1.load.") + name + "/" + std::to_string(stride), (double)c / (64 * 16 * 16), "clocks/warp access");
  }
  cudaFree(in); cudaFree(out);
}

// ---- bandwidth -----------------------------------------------------------------------------------------------------------
__global__ void readAll(const float4* in, size_t n, int repeats, float* out) {
  float4 s = make_float4(0, 0, 0, 0); const size_t step = (size_t)gridDim.x * blockDim.x;
  for (int r = 0; r < repeats; r++)
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += step * 4) {
      float4 v[4];
      #pragma unroll
      for (int u = 0; u < 4; u++) v[u] = i + u * step < n ? __ldcg(in + i + u * step) : make_float4(0, 0, 0, 0);
      #pragma unroll
      for (int u = 0; u < 4; u++) { s.x += v[u].x; s.y += v[u].y; s.z += v[u].z; s.w += v[u].w; }
    }
  if (s.x + s.y + s.z + s.w == 12345.678f) *out = 1;
}
__global__ void writeAll(float4* to, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = make_float4(1, 2, 3, 4); }
__global__ void copyAll(const float4* in, float4* to, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) to[i] = in[i]; }
template <class T> __global__ void copyPlain(const T* in, T* to, size_t n) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; if (i < n) to[i] = in[i]; }
__global__ void strided(const float* in, float* out, size_t mask, int stride, int offset) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; float v = in[(i * stride + offset) & mask]; if (v == 12345.678f) out[i] = v; }
__global__ void randomRead(const float* in, float* out, uint32_t mask) { uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; uint32_t h = i * 2654435761u; h ^= h >> 15; h *= 0x85ebca6bu; h ^= h >> 13; float v = in[h & mask]; if (v == 12345.678f) out[i] = v; }

// ---- atomics, barriers -----------------------------------------------------------------------------------------------------
template <class T> __global__ void atomics(T* at, uint32_t mask, int shift) { uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(at + ((i >> shift) & mask), (T)(i & 3)); }
template <class T> __global__ void sharedAtomics(int distinct, int rounds, T* out, long long* clocks) {
  __shared__ T s[1024]; for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = 0; __syncthreads(); long long t = clock64();
  for (int i = 0; i < rounds; i++) atomicAdd(&s[threadIdx.x % distinct], (T)(threadIdx.x + i));
  __syncthreads(); t = clock64() - t; if (threadIdx.x == 0) { *clocks = t; out[0] = s[0]; }
}
__global__ void barriers(int rounds, long long* clocks) { __syncthreads(); long long t = clock64(); for (int i = 0; i < rounds; i++) __syncthreads(); t = clock64() - t; if (threadIdx.x == 0) *clocks = t; }
__global__ void nothing() {}
__constant__ uint32_t table[4096];
__global__ void constants(uint32_t* out, int distinct, int rounds, long long* clocks) {
  uint32_t i = threadIdx.x % distinct, s = 0; long long t = clock64();
  for (int r = 0; r < rounds; r++) { s += table[(i * 4 + r) & 4095]; }
  t = clock64() - t; if (threadIdx.x == 0) *clocks = t; out[threadIdx.x] = s;
}

int main() {
  cudaDeviceProp p; OK(cudaGetDeviceProperties(&p, 0)); sms = p.multiProcessorCount;
  printf("{\"device\": \"%s\", \"sms\": %d, \"l2\": %d, \"driverClockKHz\": 0}\n", p.name, sms, p.l2CacheSize);
  float* out; long long* clocks; uint32_t* word; OK(cudaMalloc(&out, 1 << 20)); OK(cudaMalloc(&clocks, 8)); OK(cudaMalloc(&word, 1 << 20));
  const size_t big = (size_t)1 << 30; char *a, *b; OK(cudaMalloc(&a, big)); OK(cudaMalloc(&b, big)); OK(cudaMemset(a, 0, big)); OK(cudaMemset(b, 0, big));
  medianNs([&] { copyAll<<<sms * 8, 512>>>((float4*)a, (float4*)b, big / 16); }, 9, 1e8);
  const double hz = clockHz(out); say("clock", hz, "Hz");

  for (size_t kb : {4, 16, 64, 128, 192, 224, 256, 320}) say("latency.ldca/" + std::to_string(kb << 10), latency(kb << 10, true), "clocks");
  for (size_t mb : {1, 4, 8, 16, 20, 24, 28, 32, 40, 48, 56, 64, 128, 512, 2048}) say("latency.ldcg/" + std::to_string(mb << 20), latency(mb << 20, false), "clocks");
  long long c; for (int i = 0; i < 2; i++) { chaseShared<<<1, 1>>>(4096, word, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
  say("latency.shared", c / 4096.0, "clocks");

  arithmetic<FFMA>(word, clocks); arithmetic<FADD>(word, clocks); arithmetic<FMUL>(word, clocks); arithmetic<IADD>(word, clocks); arithmetic<IMAD>(word, clocks); arithmetic<LOP>(word, clocks); arithmetic<SHF>(word, clocks);
  arithmetic<MUFU_RCP>(word, clocks); arithmetic<MUFU_EX2>(word, clocks); arithmetic<MUFU_SIN>(word, clocks); arithmetic<MUFU_SQRT>(word, clocks); arithmetic<F2I>(word, clocks); arithmetic<I2F>(word, clocks); arithmetic<DFMA>(word, clocks);
  arithmetic<HFMA2>(word, clocks); arithmetic<SHFL>(word, clocks); arithmetic<POPC>(word, clocks); arithmetic<FMNMX>(word, clocks); arithmetic<ISETP_SEL>(word, clocks); arithmetic<IMUL_HI>(word, clocks); arithmetic<PRMT>(word, clocks); arithmetic<I64ADD>(word, clocks);
  arithmetic<FDIV>(word, clocks); arithmetic<IDIV>(word, clocks); arithmetic<VOTE>(word, clocks); arithmetic<FSQRT>(word, clocks); arithmetic<EXPF>(word, clocks);

  bankSweep<uint32_t, false>("4", clocks); bankSweep<uint2, false>("8", clocks); bankSweep<uint4, false>("16", clocks);
  bankSweep<uint32_t, true>("4", clocks); bankSweep<uint2, true>("8", clocks); bankSweep<uint4, true>("16", clocks);
  l1Sweep<uint32_t>("4", clocks); l1Sweep<uint2>("8", clocks); l1Sweep<uint4>("16", clocks);

  for (size_t mb : {2, 8, 16, 24, 32, 40, 44, 48, 56, 64, 96, 128, 256, 1024}) {
    size_t n = (mb << 20) / 16; int repeats = (int)std::max<size_t>(1, 1024 / mb);
    double ns = medianNs([&] { readAll<<<sms * 4, 512>>>((float4*)a, n, repeats, out); });
    say("bandwidth.read/" + std::to_string(mb << 20), (double)n * 16 * repeats / ns, "GB/s");
  }
  for (int blocksPerSm : {1, 2, 4, 8}) for (int threads : {32, 64, 128, 256, 512}) {
    if (blocksPerSm * threads > 2048) continue; size_t n = big / 16;
    double ns = medianNs([&] { readAll<<<sms * blocksPerSm, threads>>>((float4*)a, n, 1, out); }, 5);
    say("bandwidth.read.by-threads/" + std::to_string(blocksPerSm * threads), (double)big / ns, "GB/s");
  }
  for (size_t mb : {1, 4, 16, 64, 256, 1024}) {
    size_t n = (mb << 20) / 16;
    say("bandwidth.write/" + std::to_string(mb << 20), (double)n * 16 / medianNs([&] { writeAll<<<sms * 8, 512>>>((float4*)b, n); }), "GB/s");
    say("bandwidth.copy/" + std::to_string(mb << 20), 2.0 * n * 16 / medianNs([&] { copyAll<<<sms * 8, 512>>>((float4*)a, (float4*)b, n); }), "GB/s");
  }
  for (int threads : {64, 128, 256, 512, 1024}) {
    size_t n = big / 4; say("copy.plain.4/" + std::to_string(threads), 2.0 * big / medianNs([&] { copyPlain<float><<<(n + threads - 1) / threads, threads>>>((float*)a, (float*)b, n); }), "GB/s");
    n = big / 16; say("copy.plain.16/" + std::to_string(threads), 2.0 * big / medianNs([&] { copyPlain<float4><<<(n + threads - 1) / threads, threads>>>((float4*)a, (float4*)b, n); }), "GB/s");
  }
  for (int stride : {1, 2, 3, 4, 8, 16, 32, 64, 128}) say("strided.read/" + std::to_string(stride), medianNs([&] { strided<<<1 << 16, 256>>>((float*)a, out, (big / 4 - 1), stride, 0); }) / (1 << 24), "ns/element");
  for (int offset : {0, 1, 4, 8, 16, 31}) say("offset.read/" + std::to_string(offset), medianNs([&] { strided<<<1 << 18, 256>>>((float*)a, out, (big / 4 - 1), 1, offset); }) / (1 << 26), "ns/element");
  for (int bits : {16, 20, 22, 23, 24, 26, 28}) say("random.read/" + std::to_string(4ull << bits), medianNs([&] { randomRead<<<1 << 17, 256>>>((float*)a, out, (1u << bits) - 1); }) / (1 << 25), "ns/element");

  for (int bits : {0, 1, 2, 3, 5, 8, 12, 16, 20, 24}) {
    say("atomic.u32.spread/" + std::to_string(1 << bits), (1 << 24) / medianNs([&] { atomics<uint32_t><<<1 << 16, 256>>>((uint32_t*)b, (1u << bits) - 1, 0); }), "atomics/ns");
    say("atomic.f32.spread/" + std::to_string(1 << bits), (1 << 24) / medianNs([&] { atomics<float><<<1 << 16, 256>>>((float*)b, (1u << bits) - 1, 0); }), "atomics/ns");
    say("atomic.f32.warp-same/" + std::to_string(1 << bits), (1 << 24) / medianNs([&] { atomics<float><<<1 << 16, 256>>>((float*)b, (1u << bits) - 1, 5); }), "atomics/ns");
  }
  for (int distinct : {1, 2, 4, 8, 16, 32, 64, 256}) {
    for (int i = 0; i < 2; i++) { sharedAtomics<uint32_t><<<1, 256>>>(distinct, 256, word, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say("shared.atomic.u32/" + std::to_string(distinct), c / 256.0 / 8, "clocks/warp access");
    for (int i = 0; i < 2; i++) { sharedAtomics<float><<<1, 256>>>(distinct, 256, (float*)word, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say("shared.atomic.f32/" + std::to_string(distinct), c / 256.0 / 8, "clocks/warp access");
  }
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    for (int i = 0; i < 2; i++) { barriers<<<1, threads>>>(256, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say("barrier/" + std::to_string(threads), c / 256.0, "clocks");
  }
  for (int distinct : {1, 2, 4, 8, 16, 32}) {
    for (int i = 0; i < 3; i++) { constants<<<1, 32>>>(word, distinct, 1024, clocks); OK(cudaMemcpy(&c, clocks, 8, cudaMemcpyDeviceToHost)); }
    say("constant.load/" + std::to_string(distinct), c / 1024.0, "clocks/warp access");
  }
  for (int blocks : {1, 132, 1056, 4224, 16896, 65536}) say("launch.empty/" + std::to_string(blocks), medianNs([&] { nothing<<<blocks, 128>>>(); }, 9, 1e7), "ns");
  {
    cudaStream_t stream; OK(cudaStreamCreate(&stream)); cudaGraph_t graph; cudaGraphExec_t exec;
    OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)); for (int i = 0; i < 200; i++) nothing<<<132, 128, 0, stream>>>(); OK(cudaStreamEndCapture(stream, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0)); say("launch.graph/132", medianNs([&] { OK(cudaGraphLaunch(exec, 0)); }) / 200, "ns");
  }
  for (int threads : {32, 256, 1024}) say("launch.blocks/" + std::to_string(threads), medianNs([&] { nothing<<<1 << 20, threads>>>(); }, 5) / (1 << 20) * sms, "ns/block/SM");
  say("clock.end", clockHz(out), "Hz");
}
