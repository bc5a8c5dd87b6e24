// In: a kernel. Out: for its 32-bit integers, the bits that are 0 whatever the data (LLVM's known bits: its zeros);
// and the kernel in which differences from 0 are written as such. The one idea: all bits of all registers start as 0,
// and every definition takes away those that it may set, until nothing changes: the greatest fixed point, so that loops
// know what holds in every iteration.
import {
  allStatements,
  bytesOf,
  definesOf,
  mapUses,
  usesOf,
  type Kernel,
  type Operand,
  type Stmt,
} from '../ir/index.ts'
import { isWhole, rangesOf, type ValueRange } from './value-ranges.ts'

type Op = Extract<Stmt, { kind: 'op' }>

/** Every bit; masks are unsigned. */
const all = 0xffffffff

/** The bits of a 32-bit integer that are 0 in every execution, as an unsigned mask. */
type ZeroBits = (o: Operand) => number

/** What is known of the integers of `kernel`. */
function zeroBitsOf(kernel: Kernel): ZeroBits {
  const known = new Map<number, number>(),
    ranges = rangesOf(kernel),
    statements = allStatements(kernel.body)
  const of: ZeroBits = (o) => {
    if (!isWhole(o.type) || o.kind === 'param') return 0
    return o.kind === 'const' ? ~Number(o.value) >>> 0 : (known.get(o.id) ?? all)
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (const s of statements)
      for (const dst of definesOf(s)) {
        const before = of(dst),
          after = (before & (bitsOfDefinition(s, of) | aboveRange(ranges(dst)))) >>> 0
        known.set(dst.id, after)
        isChanged ||= after !== before
      }
  }
  return of
}

/** The bits above those that the greatest value needs. */
const aboveRange = (range: ValueRange | null): number =>
  range === null || range.least < 0 ? 0 : range.most === 0 ? all : highest(Math.clz32(range.most))

/** The `count` highest bits, of 0 to 32. */
const highest = (count: number): number => (count === 0 ? 0 : (all << (32 - count)) >>> 0)

/** How many of the lowest bits are known. */
const trailing = (zeros: number): number => (zeros === all ? 32 : 31 - Math.clz32(~zeros & -~zeros))
const lowest = (count: number): number => (count >= 32 ? all : 2 ** count - 1)

/** The zeros of what a statement defines. */
function bitsOfDefinition(s: Stmt, of: ZeroBits): number {
  if (s.kind === 'load') return s.type === 'u8' || s.type === 'u16' ? (all << (8 * bytesOf[s.type])) >>> 0 : 0
  if (s.kind !== 'op') return 0
  const [a, b, c] = s.args,
    [x, y, z] = [a, b, c].map((o) => (o ? of(o) : 0)) as [number, number, number] // one for each
  const by = b?.kind === 'const' ? Number(b.value) : undefined
  switch (s.op) {
    case 'copy':
    case 'bitcast':
      return x
    case 'convert':
      return a!.type === 'bool' ? ~1 >>> 0 : isWhole(a!.type) ? x : 0
    case 'and':
      return (x | y) >>> 0
    case 'or':
    case 'min':
    case 'max':
      return (x & y) >>> 0
    case 'xor':
      return isSame(a!, b!) ? all : (x & y) >>> 0
    case 'select':
      return (y & z) >>> 0
    case 'shl':
      return by === undefined ? lowest(trailing(x)) : ((x << (by & 31)) | lowest(by & 31)) >>> 0
    case 'shr': {
      if (by === undefined) return 0
      const isFilled = a!.type === 'u32' || x >>> 31 === 1
      return ((x >>> (by & 31)) | (isFilled ? highest(by & 31) : 0)) >>> 0
    }
    case 'add':
      return lowest(Math.min(trailing(x), trailing(y)))
    case 'sub':
      return isSame(a!, b!) ? all : lowest(Math.min(trailing(x), trailing(y)))
    case 'mul':
      return lowest(trailing(x) + trailing(y))
    case 'rem': // by a power of two: the low bits; all of them 0, so is the remainder, whatever its sign
      return by !== undefined && by > 0 && (by & (by - 1)) === 0
        ? ((x & (by - 1)) === by - 1 ? all : a!.type === 'u32' || x >>> 31 === 1 ? x | ~(by - 1) : 0) >>> 0
        : 0
    case 'popcount':
    case 'clz':
    case 'ctz': // 0 to 32
      return ~63 >>> 0
    default:
      return 0
  }
}

const isSame = (a: Operand, b: Operand): boolean => a.kind === 'reg' && b.kind === 'reg' && a.id === b.id

/** Kernels are printed alone and in the file of their plan. */
const known = new WeakMap<Kernel, Kernel>()

/** The kernel, in which differences from what compilers know to be 0 are differences from 0. */
export function withKnownZeros<K extends Kernel>(kernel: K): K {
  const found = (known.get(kernel) as K | undefined) ?? knowingZeros(kernel) // made of this one
  known.set(kernel, found)
  return found
}

function knowingZeros<K extends Kernel>(kernel: K): K {
  const isDifference = (s: Stmt): s is Op => s.kind === 'op' && s.op === 'sub' && s.dst.type === 'i32'
  if (!allStatements(kernel.body).some(isDifference)) return kernel
  const of = zeroBitsOf(kernel),
    isFound = (s: Stmt): s is Op => isDifference(s) && s.args[0]!.kind === 'reg' && of(s.args[0]!) === all
  if (!allStatements(kernel.body).some(isFound)) return kernel
  const changed = (list: readonly Stmt[]): readonly Stmt[] =>
    list.map((s) =>
      isFound(s)
        ? { ...s, args: [{ kind: 'const', type: 'i32', value: 0 } as const, s.args[1]!] }
        : mapUses(s, (o) => o, changed),
    )
  return { ...kernel, body: withoutUnused(changed(kernel.body)) }
}

/** The statements without operations whose results nothing uses. */
function withoutUnused(body: readonly Stmt[]): readonly Stmt[] {
  const statements = allStatements(body),
    used = new Set(statements.flatMap((s) => usesOf(s).flatMap((o) => (o.kind === 'reg' ? [o.id] : []))))
  const isUnused = (s: Stmt): boolean => s.kind === 'op' && !used.has(s.dst.id)
  const kept = (list: readonly Stmt[]): readonly Stmt[] =>
    list.filter((s) => !isUnused(s)).map((s) => mapUses(s, (o) => o, kept))
  return statements.some(isUnused) ? withoutUnused(kept(body)) : body
}
