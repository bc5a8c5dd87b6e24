// Just enough CUDA for the host compiler to run emitted kernels one thread after another: no barriers, no warps.
#include <algorithm>
#include <cmath>
#include <cstring>
#define __global__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __shared__ static
#define __align__(n) alignas(n)
struct Index { unsigned x, y, z; };
static Index threadIdx, blockIdx, gridDim;
#define VECTORS(T, name) \
  struct alignas(2 * sizeof(T)) name##2 { T x, y; }; struct alignas(4 * sizeof(T)) name##4 { T x, y, z, w; }; \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; } static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
VECTORS(int, int)
VECTORS(unsigned, uint)
VECTORS(float, float)
using std::max;
using std::min;
static inline int __popc(int x) { return __builtin_popcount((unsigned)x); }
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
