// Enough of CUDA for the host's C++ compiler to run whole emitted files: the threads of a block are coroutines that take
// turns where they meet (barriers of the block, shuffles of a warp); blocks run one after the other. Memory of the
// device is the host's, filled with a pattern. What it does not have does not compile.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ucontext.h>
#include <vector>
#define __global__
#define __device__
#define __constant__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__
// CUDA's: of integers after promotion, unsigned where one of them is.
#define EXTREMES(T) \
  static inline T max(T a, T b) { return a < b ? b : a; } \
  static inline T min(T a, T b) { return b < a ? b : a; }
EXTREMES(int)
EXTREMES(unsigned)
EXTREMES(long long)
EXTREMES(unsigned long long)
#define MIXED(T, U, R) \
  static inline R max(T a, U b) { return max((R)a, (R)b); } \
  static inline R min(T a, U b) { return min((R)a, (R)b); }
MIXED(int, unsigned, unsigned)
MIXED(unsigned, int, unsigned)
MIXED(long long, int, long long)
MIXED(int, long long, long long)
static inline float max(float a, float b) { return std::fmax(a, b); }
static inline float min(float a, float b) { return std::fmin(a, b); }

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidConfiguration, cudaErrorMemoryAllocation };
typedef int cudaStream_t;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
static inline cudaError_t cudaMalloc(void** p, size_t bytes) {
  *p = std::malloc(bytes + 64);
  std::memset(*p, 0xa5, bytes + 64);
  return cudaSuccess;
}
static inline cudaError_t cudaMallocAsync(void** p, size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
static inline cudaError_t cudaFree(void* p) { std::free(p); return cudaSuccess; }
static inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
static inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy(to, from, bytes, kind);
}
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }

// ------------------------------------------------------------------------------------------- threads that take turns

struct Thread {
  ucontext_t context;
  std::vector<char> stack;
  bool done = false;
};
static std::vector<Thread> threads;
static ucontext_t scheduler;
static unsigned current;
static const std::function<void()>* running;
static unsigned long long blockRound;
static unsigned blockHere, threadsLeft;
struct Warp {
  unsigned here = 0, left = 0;
  unsigned long long round = 0;
  unsigned long long slots[32];
};
static std::vector<Warp> warps;

static void place(unsigned t) {
  threadIdx = dim3(t % blockDim.x, t / blockDim.x % blockDim.y, t / (blockDim.x * blockDim.y));
}
static void yieldTurn() {
  const unsigned me = current;
  swapcontext(&threads[me].context, &scheduler);
  place(me);
}
static void threadMain() {
  (*running)();
  threads[current].done = true;
  threadsLeft--;
  warps[current / 32].left &= ~(1u << (current % 32));
  swapcontext(&threads[current].context, &scheduler);
}
static inline void __syncthreads() {
  const unsigned long long round = blockRound;
  blockHere++;
  while (blockRound == round) {
    if (blockHere >= threadsLeft) { blockHere = 0; blockRound++; break; }
    yieldTurn();
  }
}
/** Waits until all lanes of `mask` that are left have come. */
static inline void meetWarp(unsigned mask) {
  Warp& w = warps[current / 32];
  const unsigned long long round = w.round;
  w.here |= 1u << (current % 32);
  while (w.round == round) {
    if ((w.here & mask & w.left) == (mask & w.left)) { w.here = 0; w.round++; break; }
    yieldTurn();
  }
}
template <class T> static inline T exchanged(unsigned mask, T value, unsigned from) {
  static_assert(sizeof(T) <= 8, "shuffles move at most 8 bytes");
  Warp& w = warps[current / 32];
  std::memcpy(&w.slots[current % 32], &value, sizeof(T));
  meetWarp(mask);
  T other;
  std::memcpy(&other, &w.slots[from % 32], sizeof(T));
  meetWarp(mask);
  return other;
}
template <class T> static inline T __shfl_sync(unsigned mask, T v, unsigned lane) { return exchanged(mask, v, lane); }
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, unsigned by) { return exchanged(mask, v, (current % 32) ^ by); }
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned by) { const unsigned l = current % 32; return exchanged(mask, v, l >= by ? l - by : l); }
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned by) { const unsigned l = current % 32; return exchanged(mask, v, l + by < 32 ? l + by : l); }
static inline unsigned __ballot_sync(unsigned mask, bool v) {
  unsigned all = 0;
  const unsigned mine = v ? 1u : 0u;
  Warp& w = warps[current / 32];
  w.slots[current % 32] = mine;
  meetWarp(mask);
  for (unsigned l = 0; l < 32; l++) if ((mask & w.left) >> l & 1u) all |= (unsigned)(w.slots[l] & 1) << l;
  meetWarp(mask);
  return all;
}

static void launchBlocks(dim3 blocks, dim3 block, const std::function<void()>& kernel) {
  gridDim = blocks;
  blockDim = block;
  const unsigned count = block.x * block.y * block.z;
  running = &kernel;
  if (threads.size() < count) threads.resize(count);
  for (unsigned z = 0; z < blocks.z; z++) for (unsigned y = 0; y < blocks.y; y++) for (unsigned x = 0; x < blocks.x; x++) {
    blockIdx = dim3(x, y, z);
    blockHere = 0;
    threadsLeft = count;
    warps.assign((count + 31) / 32, Warp());
    for (unsigned t = 0; t < count; t++) {
      warps[t / 32].left |= 1u << (t % 32);
      Thread& thread = threads[t];
      if (thread.stack.empty()) thread.stack.resize(96 * 1024);
      thread.done = false;
      getcontext(&thread.context);
      thread.context.uc_stack.ss_sp = thread.stack.data();
      thread.context.uc_stack.ss_size = thread.stack.size();
      thread.context.uc_link = nullptr;
      makecontext(&thread.context, threadMain, 0);
    }
    for (unsigned long long idle = 0; threadsLeft > 0;) {
      const unsigned before = threadsLeft;
      const unsigned long long round = blockRound;
      for (unsigned t = 0; t < count; t++) {
        if (threads[t].done) continue;
        current = t;
        place(t);
        swapcontext(&scheduler, &threads[t].context);
      }
      idle = threadsLeft == before && blockRound == round ? idle + 1 : 0;
      if (idle > 100000) { std::fprintf(stderr, "threads wait for each other\n"); std::exit(9); }
    }
  }
}

// ------------------------------------------------------------------------------------------------------- functions

#define VECTORS(T, name) \
  struct alignas(2 * sizeof(T)) name##2 { T x, y; }; struct alignas(4 * sizeof(T)) name##4 { T x, y, z, w; }; \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; } \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(float, float)
VECTORS(signed char, char)
VECTORS(unsigned char, uchar)
VECTORS(short, short)
VECTORS(unsigned short, ushort)
static inline int __popc(int x) { return __builtin_popcount((unsigned)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline unsigned __brev(unsigned x) { unsigned y = 0; for (int i = 0; i < 32; i++) y |= ((x >> i) & 1u) << (31 - i); return y; }
static inline int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
template <class To, class From> static inline To same_bits(From x) { To y; std::memcpy(&y, &x, sizeof y); return y; }
static inline int __float_as_int(float x) { return same_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return same_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return same_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return same_bits<float>(x); }
static inline int __float2int_rz(float x) { return x != x ? 0 : x <= -2147483648.0f ? (-2147483647 - 1) : x >= 2147483648.0f ? 2147483647 : (int)x; }
static inline unsigned __float2uint_rz(float x) { return !(x > 0.0f) ? 0u : x >= 4294967296.0f ? 4294967295u : (unsigned)x; }
static inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
template <class T> static inline T __ldca(const T* p) { return *p; }
#define ATOMIC(name, expression) \
  template <class T, class U> static inline T name(T* p, U u) { const T old = *p, v = (T)u; *p = (expression); return old; }
ATOMIC(atomicAdd, old + v)
ATOMIC(atomicSub, old - v)
ATOMIC(atomicMin, v < old ? v : old)
ATOMIC(atomicMax, v > old ? v : old)
ATOMIC(atomicAnd, old & v)
ATOMIC(atomicOr, old | v)
ATOMIC(atomicXor, old ^ v)
ATOMIC(atomicExch, v)
template <class T> static inline T atomicCAS(T* p, T expected, T v) { const T old = *p; if (old == expected) *p = v; return old; }
