// In: a kernel. Out: whether a negation of a 32-bit integer in it goes into a minimum or maximum, and how
// negations are written there. The one idea: NVIDIA's compilers (CUDA 13.0, Vulkan driver 580, read on an H200 by
// `bench/device/compositions.ts`) join two minima or maxima to one instruction with three operands, and lose the
// negation of its middle operand: max(max(a, -b), c) came out as max(max(a, b), c). In WGSL −x = (0 − (x ⊕ 2³¹)) ⊕
// 2³¹ is no negation of an operand to them: the exclusive or stands between. That becomes the negation again where
// x has few values (a byte in CUDA, a comparison in WGSL), so that the number that x is taken from stands in
// constant memory, or follows from a number in uniform memory in a way that no compiler knows. Every other
// spelling that was tried (~x + 1, x × −1, reversed bits, inline assembly) became the negation again.
import { call, infix, primary, type Text } from './printer.ts'
import { allStatements, listsOf, type Kernel, type Operand, type Stmt } from '../ir/index.ts'

type Op = Extract<Stmt, { kind: 'op' }>

const isNegative = (o: Operand): boolean => o.kind === 'const' && Number(o.value) < 0

/** |x| is the greater of x and −x to a compiler, x × −3 is −(x × 3), and x ÷ −3 is −(x ÷ 3). */
const isNegation = (s: Op): boolean =>
  s.dst.type === 'i32' &&
  (s.op === 'neg' ||
    s.op === 'abs' ||
    (s.op === 'sub' && s.args[0]!.kind === 'const' && Number(s.args[0]!.value) === 0) ||
    ((s.op === 'mul' || s.op === 'div') && s.args.some(isNegative)))

/** Whether a compiler may take a sign out of the arguments that have one: (−a) % b = −(a % b), −a − b = −(a + b). */
function keepsSign(s: Op, isNegated: (o: Operand) => boolean): boolean {
  const [a, b, c] = s.args
  switch (s.op) {
    case 'copy':
    case 'mul':
    case 'div':
    case 'rem':
    case 'min':
    case 'max':
      return s.args.some(isNegated)
    case 'select':
      return isNegated(b!) || isNegated(c!) // three arguments
    case 'sub':
      return isNegated(a!) // as the others
    case 'add':
      return s.args.every((x) => isNegated(x) || x.kind === 'const') && s.args.some(isNegated)
    default:
      return false
  }
}

/** Registers that several statements of `if`s give a value, of which compilers may make minima and maxima. */
function chosenIn(body: readonly Stmt[]): ReadonlySet<number> {
  const times = new Map<number, number>(),
    conditional = new Set<number>()
  const walk = (list: readonly Stmt[], inside: boolean): void => {
    for (const s of list) {
      if (s.kind === 'op' && s.dst.type === 'i32') {
        times.set(s.dst.id, (times.get(s.dst.id) ?? 0) + 1)
        if (inside) conditional.add(s.dst.id)
      }
      for (const part of listsOf(s)) walk(part, inside || s.kind === 'if')
    }
  }
  walk(body, false)
  return new Set([...conditional].filter((id) => times.get(id)! > 1)) // all were counted
}

/** What a minimum, a maximum, or a choice that compilers may make one takes. */
function candidatesOf(s: Op, chosen: ReadonlySet<number>): readonly Operand[] {
  if (s.dst.type !== 'i32') return []
  if (s.op === 'min' || s.op === 'max') return s.args
  return s.op === 'select' ? s.args.slice(1) : chosen.has(s.dst.id) ? [s.dst] : []
}

/**
 * Whether a negated integer, as it is or by way of copies, memory, sums, products, quotients and remainders, is an
 * argument of a minimum or maximum, or of choices that can become one. Seen on an H100 with (−(x % 1000)) % 1000 in
 * WGSL, and in CUDA with −a − b, x % −6 / −2 and `if (c) v = a; else v = -b; if (s > v) …`.
 */
export function negatesIntoExtremes(kernel: Kernel): boolean {
  const all = allStatements(kernel.body),
    chosen = chosenIn(kernel.body),
    negated = new Set<number>(),
    memory = new Set<string>()
  const isNegated = (o: Operand): boolean => o.kind === 'reg' && negated.has(o.id)
  for (let size = -1; size !== negated.size + memory.size; ) {
    size = negated.size + memory.size
    for (const s of all) {
      if (s.kind === 'op' && (isNegation(s) || keepsSign(s, isNegated))) negated.add(s.dst.id)
      if (s.kind === 'store' && s.src.some(isNegated)) memory.add(s.address.resource)
      if (s.kind === 'load' && memory.has(s.address.resource)) for (const r of s.dst) negated.add(r.id)
    }
  }
  return all.some((s) => s.kind === 'op' && candidatesOf(s, chosen).some(isNegated))
}

/** |c| of a literal c < 0 that is not the lowest; undefined of anything else. */
const magnitudeOf = (text: string): string | undefined => {
  const digits = /^\(?-(\d+)\)?$/.exec(text)?.[1]
  return digits !== undefined && Number(digits) <= 0x7fffffff ? digits : undefined
}

/**
 * a × −c as −(a × c), and a ÷ −c as −(a ÷ c), with the function that negates; undefined where no argument is a negative
 * literal.
 */
export function withoutNegativeLiteral(
  symbol: '*' | '/',
  args: readonly Text[],
  negated: () => string,
): Text | undefined {
  const by = args.findIndex((a, i) => (symbol === '*' || i === 1) && magnitudeOf(a.text) !== undefined)
  if (by < 0) return undefined
  return call(negated(), infix(symbol, args[1 - by]!, primary(magnitudeOf(args[by]!.text)!))) // two arguments
}

/**
 * The function for −x. `field`: an integer in uniform memory, where there is one: of two neighbours one is even, so
 * that their product has 0 for its last bit, which no compiler knows. Where x has few values (a comparison as 0 or 1)
 * these would follow the negation through the exclusive or; seen on an H100 with −(m != −1).
 */
export function wgslNegated(field: string | undefined): string {
  const lines =
    field === undefined ? [] : ['  // of two neighbours one is even', `  let zero = (${field} * (${field} + 1)) & 1;`]
  const zero = lines.length === 0 ? '0' : 'zero'
  return `// -x, past minima and maxima of three operands, where some compilers lose it.
fn neg_i32(x: i32) -> i32 {
${[...lines, `  return (${zero} - (x ^ i32(-2147483648))) ^ i32(-2147483648);`].join('\n')}
}`
}

export const wgslMagnitude = `// |x| without a negation, which some compilers lose in minima and maxima.
fn abs_i32(x: i32) -> i32 {
  let sign = x >> 31u;
  return (x ^ sign) - sign;
}`

export const cudaNegated = `// -x, past minima and maxima of three operands, in which ptxas 13.0 loses negations:
// a difference from a number in memory, which no compiler knows.
static __constant__ unsigned int zero_of_neg;
static __device__ __forceinline__ int neg_i32(int x)
{
  return (int)(zero_of_neg - (unsigned)x);
}`
