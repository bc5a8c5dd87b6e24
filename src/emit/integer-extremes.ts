// In: a kernel. Out: whether negations of 32-bit integers in it may meet minima or maxima, and how they are written
// there. The one idea: NVIDIA's compilers (CUDA 13.0, Vulkan driver 580, read on an H200 by
// `bench/device/compositions.ts`) join two minima or maxima to one instruction with three operands, and lose the
// negation of its middle operand: max(max(a, -b), c) came out as max(max(a, b), c). −x = (0 − (x ⊕ 2³¹)) ⊕ 2³¹ is no
// negation of an operand to them: the exclusive or stands between. Every other spelling that was tried (~x + 1,
// x × −1, reversed bits, inline assembly) became the negation again.
import { allStatements, type Kernel } from '../ir/index.ts'

/** Whether a minimum or maximum of 32-bit integers, or a choice that compilers may make one, is in `kernel`. */
export const takesIntegerExtremes = (kernel: Kernel): boolean =>
  allStatements(kernel.body).some(
    (s) => s.kind === 'op' && s.dst.type === 'i32' && (s.op === 'min' || s.op === 'max' || s.op === 'select'),
  )

export const wgslNegated = `// -x, past minima and maxima of three operands, where some compilers lose it.
fn neg_i32(x: i32) -> i32 {
  return (0 - (x ^ i32(-2147483648))) ^ i32(-2147483648);
}`

export const wgslMagnitude = `// |x| without a negation, which some compilers lose in minima and maxima.
fn abs_i32(x: i32) -> i32 {
  let sign = x >> 31u;
  return (x ^ sign) - sign;
}`

export const cudaNegated = `// -x, past minima and maxima of three operands, in which ptxas 13.0 loses negations.
static __device__ __forceinline__ int neg_i32(int x)
{
  return (int)((0u - ((unsigned)x ^ 0x80000000u)) ^ 0x80000000u);
}`
