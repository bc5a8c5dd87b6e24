static __device__ __forceinline__ int div_i32(int a, int b)
{
  const int quotient = a / (b == 0 || b == -1 ? 1 : b);
  return b == -1 ? (int)(0u - a) : quotient;
}

// -x, past minima and maxima of three operands, in which ptxas 13.0 loses negations:
// a difference from a number in memory, which no compiler knows.
static __constant__ unsigned int zero_of_neg;
static __device__ __forceinline__ int neg_i32(int x)
{
  return (int)(zero_of_neg - (unsigned)x);
}

extern "C" __global__ void __launch_bounds__(32) loop(
    const signed char* __restrict__ class_,
    int* __restrict__ out,
    const float* __restrict__ table,
    int divisor,
    bool flag)
{
  int scratch[4];
  const int var = (int)(threadIdx.x + 16u * threadIdx.y);
  int picked = 0;
  if (flag) {
    picked = 7;
  } else {
    picked = 9;
  }
  int total = 0;
  int j = 0;
  while (true) {
    {
      if (j >= 6) {
        break;
      }
      if (j % 2 == 1) {
        goto next_1;
      }
      total += class_[var + j];
    }
    next_1:;
    j++;
    total ^= 1;
  }
  scratch[0] = div_i32(total, divisor);
  scratch[1] = total << (var & 31);
  scratch[2] = __float2int_rz(table[var % 5] * 2.0f);
  scratch[3] = __mulhi(total * 123456789, divisor - -1000000007);
  const int xor_ = scratch[0] ^ scratch[1] ^ (scratch[2] ^ scratch[3]);
  out[var] = (xor_ > 0 ? xor_ : neg_i32(xor_)) - -3 + picked * (var + (-2147483647 - 1));
}
