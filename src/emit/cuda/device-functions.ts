// Device functions that emitted CUDA code calls where C has no operator with KernelIR's meaning: guarded division,
// sign, reductions and scans over the active lanes of a warp, atomics by compare-and-swap, and where all blocks meet. A
// kernel's text contains only those that it uses.
import { cudaNegated } from '../integer-extremes.ts'
import { allStatements, type AtomicOp, type Kernel, type MemoryType, type ScalarType } from '../../ir/index.ts'
import { call, prefix, primary, type Text } from '../printer.ts'

/** Texts by name, in order of first use. */
export type CudaHelpers = Map<string, string>

const types: Readonly<Record<ScalarType, string>> = {
  bool: 'bool',
  i32: 'int',
  u32: 'unsigned',
  i64: 'long long',
  u64: 'unsigned long long',
  f16: '__half',
  f32: 'float',
  f64: 'double',
}

const head = 'static __device__ __forceinline__'

function add(h: CudaHelpers, name: string, text: string): string {
  h.set(name, text)
  return name
}

/**
 * Integer division that gives a / 0 = a, a % 0 = 0, MIN / −1 = MIN and MIN % −1 = 0. Where it may not divide by b it
 * divides by 1, without a branch: on a remainder behind one, in a loop's first iteration, nvcc 13.0 ends with a
 * segmentation fault.
 */
export function divisionHelper(h: CudaHelpers, symbol: '/' | '%', type: ScalarType): string {
  const t = types[type]
  const name = `${symbol === '/' ? 'div' : 'rem'}_${type}`
  const unsigned = type === 'u32' || type === 'u64'
  const safe = unsigned ? 'b == 0 ? 1 : b' : 'b == 0 || b == -1 ? 1 : b'
  const value = `a ${symbol} (${safe})`
  const negative = `(${t})(0${type === 'i64' ? 'ull' : 'u'} - a)`
  const body =
    unsigned || symbol === '%'
      ? `return ${value};`
      : `const ${t} quotient = ${value};\n  return b == -1 ? ${negative} : quotient;`
  return add(h, name, `${head} ${t} ${name}(${t} a, ${t} b)\n{\n  ${body}\n}`)
}

/** By one instruction of the device, where it is compiled for one; its bound is PTX's. */
const instruction = (h: CudaHelpers, name: string, params: readonly string[], ptx: string, plain: string): string =>
  add(
    h,
    name,
    `${head} float ${name}(${params.map((p) => `float ${p}`).join(', ')})
{
#ifdef __CUDA_ARCH__
  asm("${ptx} ${['%0', ...params.map((_, i) => `%${i + 1}`)].join(', ')};" : "=f"(a) : \
${params.map((p) => `"f"(${p})`).join(', ')});
  return a;
#else
  return ${plain};
#endif
}`,
  )

/** a / b within 2 ulp (PTX ISA, div.full.f32), for divisors of any size. */
export const quotientHelper = (h: CudaHelpers): string => instruction(h, 'div_f32', ['a', 'b'], 'div.full.f32', 'a / b')

/** 1 / a within 1 ulp (PTX ISA, rcp.approx.f32). */
export const reciprocalHelper = (h: CudaHelpers): string =>
  instruction(h, 'rcp_f32', ['a'], 'rcp.approx.f32', '1.0f / a')

/** √a with a relative error of at most 2⁻²³ (PTX ISA, sqrt.approx.f32). */
export const rootHelper = (h: CudaHelpers): string => instruction(h, 'sqrt_f32', ['a'], 'sqrt.approx.f32', 'sqrtf(a)')

/** A power, as a product of few factors where the exponent is whole: exact where the power is. */
export const powerHelper = (h: CudaHelpers): string =>
  add(
    h,
    'pow_f32',
    `${head} float pow_f32(float x, float y)
{
  if (rintf(y) != y || fabsf(y) > 64.0f) return powf(x, y);
  float product = 1.0f, square = x;
  for (int n = (int)fabsf(y); n > 0; n >>= 1) {
    if (n & 1) product *= square;
    square *= square;
  }
  return y < 0.0f ? 1.0f / product : product;
}`,
  )

/** −x of a 32-bit integer, where a minimum or maximum may take it in (`integer-extremes.ts`). */
export const negationHelper = (h: CudaHelpers): string => add(h, 'neg_i32', cudaNegated)

/**
 * A signed byte as an int that no compiler knows to have eight bits. nvcc 13.0 takes (short)(a - b + i) in a loop, of
 * signed bytes a and b, for the sign extension of the eight low bits of a - b; seen on an H200.
 */
export const byteHelper = (h: CudaHelpers): string =>
  add(h, 'byte_i32', `${head} int byte_i32(int byte)\n{\n  asm("" : "+r"(byte));\n  return byte;\n}`)

/** Whether a sign is extended from 16 bits, as `(short)` is here. */
export const extendsHalves = (kernel: Kernel): boolean =>
  allStatements(kernel.body).some((s) => {
    const by = s.kind === 'op' && s.op === 'shr' && s.dst.type === 'i32' ? s.args[1] : undefined
    return by?.kind === 'const' && Number(by.value) === 16
  })

/** −1, 0 or 1. */
export function signHelper(h: CudaHelpers, type: ScalarType): string {
  const t = types[type]
  const value = type === 'f16' ? '__half2float(a)' : 'a'
  return add(
    h,
    `sign_${type}`,
    `${head} ${t} sign_${type}(${t} a)\n{\n  return ` +
      `${t === '__half' ? '__float2half((float)' : `(${t})(`}(${value} > 0) - (${value} < 0));\n}`,
  )
}

/**
 * All threads of the launch meet. One word counts: the first block adds what makes the sum of all blocks' additions
 * 2³¹, so that the top bit turns when the last one comes and the rest is 0 again for the next time, in this launch or a
 * later one.
 */
export function meetingHelper(h: CudaHelpers): string {
  return add(
    h,
    'meet_grid',
    `// Blocks that have come, below the bit that turns when all have.
static __device__ unsigned blocks_here;

${head} void meet_grid()
{
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) {
    const unsigned others = gridDim.x * gridDim.y * gridDim.z - 1u;
    const bool first = blockIdx.x + blockIdx.y + blockIdx.z == 0;
    __threadfence();
    const unsigned before = atomicAdd(&blocks_here, first ? 0x80000000u - others : 1u);
    while (((*(volatile unsigned*)&blocks_here ^ before) & 0x80000000u) == 0u) {
    }
    __threadfence();
  }
  __syncthreads();
}`,
  )
}

/** Whether this lane is the lowest active one. */
export function electHelper(h: CudaHelpers): string {
  return add(
    h,
    'warp_elect',
    `${head} bool warp_elect()\n{\n  unsigned below;\n  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));\n  ` +
      `return (__activemask() & below) == 0u;\n}`,
  )
}

const combine: Readonly<Record<string, (a: string, b: string) => string>> = {
  add: (a, b) => `${a} + ${b}`,
  mul: (a, b) => `${a} * ${b}`,
  and: (a, b) => `${a} & ${b}`,
  or: (a, b) => `${a} | ${b}`,
  xor: (a, b) => `${a} ^ ${b}`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
}

const combined = (what: string, type: ScalarType, a: string, b: string): string => {
  if ((what === 'min' || what === 'max') && type === 'f16') return `__h${what}(${a}, ${b})`
  if ((what === 'min' || what === 'max') && (type === 'f32' || type === 'f64'))
    return `f${what}${type === 'f32' ? 'f' : ''}(${a}, ${b})`
  return combine[what]!(a, b) // callers name rows of the table
}

/**
 * Reduction to all lanes of `mask`, or scan in lane order. Half a butterfly step per bit when all 32 lanes take part.
 */
export function warpHelper(
  h: CudaHelpers,
  kind: 'reduce' | 'inclusive' | 'exclusive',
  what: string,
  type: ScalarType,
): string {
  const t = types[type]
  const name = `warp_${kind === 'reduce' ? '' : `${kind}_`}${what}_${type}`
  return add(h, name, kind === 'reduce' ? reduction(name, what, t, type) : scan(name, kind, what, t, type))
}

const reduction = (
  name: string,
  what: string,
  t: string,
  type: ScalarType,
): string => `${head} ${t} ${name}(${t} v, unsigned mask)
{
  if (mask == 0xffffffffu) {
    #pragma unroll
    for (int step = 16; step > 0; step >>= 1) {
      v = ${combined(what, type, 'v', '__shfl_xor_sync(mask, v, step)')};
    }
    return v;
  }
  ${t} total = __shfl_sync(mask, v, __ffs(mask) - 1);
  for (unsigned rest = mask & (mask - 1u); rest != 0u; rest &= rest - 1u) {
    const ${t} other = __shfl_sync(mask, v, __ffs(rest) - 1);
    total = ${combined(what, type, 'total', 'other')};
  }
  return total;
}`

const scan = (
  name: string,
  kind: 'inclusive' | 'exclusive',
  what: string,
  t: string,
  type: ScalarType,
): string => `${head} ${t} ${name}(${t} v, unsigned mask)
{
  unsigned below;
  asm("mov.u32 %0, %%lanemask_${kind === 'inclusive' ? 'le' : 'lt'};" : "=r"(below));
  ${t} total = ${type === 'f16' ? `__float2half(${what === 'add' ? 0 : 1}.0f)` : what === 'add' ? '0' : '1'};
  for (unsigned rest = mask; rest != 0u; rest &= rest - 1u) {
    const int lane = __ffs(rest) - 1;
    const ${t} other = __shfl_sync(mask, v, lane);
    if (((below >> lane) & 1u) != 0u) {
      total = ${combined(what, type, 'total', 'other')};
    }
  }
  return total;
}`

const hardware: Readonly<
  Record<Exclude<AtomicOp, 'load' | 'store' | 'compareExchange' | 'sub' | 'increment' | 'decrement'>, readonly string[]>
> = {
  add: ['i32', 'u32', 'u64', 'f32', 'f64'],
  min: ['i32', 'u32', 'i64', 'u64'],
  max: ['i32', 'u32', 'i64', 'u64'],
  and: ['i32', 'u32', 'u64'],
  or: ['i32', 'u32', 'u64'],
  xor: ['i32', 'u32', 'u64'],
  exchange: ['i32', 'u32', 'u64', 'f32'],
}
const functions = {
  add: 'atomicAdd',
  min: 'atomicMin',
  max: 'atomicMax',
  and: 'atomicAnd',
  or: 'atomicOr',
  xor: 'atomicXor',
  exchange: 'atomicExch',
} as const

/** An atomic on `pointer` (text of an address of `type`); its value is what was there before. */
export function atomicText(
  h: CudaHelpers,
  op: AtomicOp,
  type: MemoryType,
  pointer: string,
  args: readonly Text[],
): Text {
  const p = primary(pointer)
  const [a, b] = args
  switch (op) {
    case 'load':
      return primary(`*(volatile ${types[type as ScalarType]}*)(${pointer})`)
    case 'store':
      return primary(`*(volatile ${types[type as ScalarType]}*)(${pointer}) = ${a!.text}`)
    case 'compareExchange':
      return type === 'i32' || type === 'u32' || type === 'u64'
        ? call('atomicCAS', p, a!, b!)
        : call(casHelper(h, type as ScalarType), p, a!, b!)
    case 'sub':
      return type === 'i32' || type === 'u32'
        ? call('atomicSub', p, a!)
        : atomicText(h, 'add', type, pointer, [prefix('-', a!)])
    case 'increment':
      return call('atomicInc', p, a!)
    case 'decrement':
      return call('atomicDec', p, a!)
    default:
      return hardware[op].includes(type)
        ? call(functions[op], p, a!)
        : call(loopHelper(h, op, type as ScalarType), p, a!) // atomics are on 4 and 8 bytes: register types
  }
}

const wordOf = (type: ScalarType): string =>
  type === 'i64' || type === 'u64' || type === 'f64' ? 'unsigned long long' : 'unsigned'
/** Bits of a value as a word, and back. */
const toWord = (type: ScalarType, x: string): string =>
  type === 'f32'
    ? `__float_as_uint(${x})`
    : type === 'f64'
      ? `(unsigned long long)__double_as_longlong(${x})`
      : `(${wordOf(type)})${x}`
const fromWord = (type: ScalarType, x: string): string =>
  type === 'f32'
    ? `__uint_as_float(${x})`
    : type === 'f64'
      ? `__longlong_as_double((long long)${x})`
      : `(${types[type]})${x}`

function casHelper(h: CudaHelpers, type: ScalarType): string {
  const t = types[type],
    w = wordOf(type)
  return add(
    h,
    `atomic_cas_${type}`,
    `${head} ${t} atomic_cas_${type}(${t}* p, ${t} expected, ${t} value)
{
  const ${w} old = atomicCAS(reinterpret_cast<${w}*>(p), ${toWord(type, 'expected')}, ${toWord(type, 'value')});
  return ${fromWord(type, 'old')};
}`,
  )
}

function loopHelper(h: CudaHelpers, op: string, type: ScalarType): string {
  const t = types[type],
    w = wordOf(type)
  const next = op === 'exchange' ? 'value' : combined(op, type, 'before', 'value')
  return add(
    h,
    `atomic_${op}_${type}`,
    `${head} ${t} atomic_${op}_${type}(${t}* p, ${t} value)
{
  ${w}* word = reinterpret_cast<${w}*>(p);
  ${w} seen = *word;
  while (true) {
    const ${t} before = ${fromWord(type, 'seen')};
    const ${w} old = atomicCAS(word, seen, ${toWord(type, next.includes(' ') ? `(${next})` : next)});
    if (old == seen) return before;
    seen = old;
  }
}`,
  )
}
