// In: a kernel. Out: for 32-bit integer registers, the least and greatest value that they can have. The one idea: a
// register that is defined once has the range of its definition; one that a loop counts up by one while it is below
// something starts at its first value and never wraps. Everything else, and every sum that might wrap, is unknown.
import { definesOf, listsOf, type Kernel, type Operand, type Reg, type Stmt } from '../ir/index.ts'

/** Inclusive. */
export interface ValueRange {
  readonly least: number
  readonly most: number
}

/** The greatest i32. */
const most = 2 ** 31 - 1
const full = { i32: { least: -(2 ** 31), most }, u32: { least: 0, most: 2 ** 32 - 1 } } as const
type Whole = keyof typeof full
export const isWhole = (type: string): type is Whole => type === 'i32' || type === 'u32'

/** What is known of the integers of `kernel`. */
export function rangesOf(kernel: Kernel): (o: Operand) => ValueRange | null {
  const definitions = new Map<number, Stmt[]>()
  const counters = new Map<number, Extract<Stmt, { kind: 'op' }>>()
  collect(kernel.body, definitions, counters)
  const known = new Map<number, ValueRange | null>()
  const of = (o: Operand): ValueRange | null => {
    if (!isWhole(o.type)) return null
    if (o.kind === 'const') return { least: Number(o.value), most: Number(o.value) }
    if (o.kind === 'param') return full[o.type]
    const seen = known.get(o.id)
    if (seen !== undefined) return seen
    known.set(o.id, full[o.type]) // while it is looked for: a cycle knows nothing
    const found = rangeOfReg(o, o.type) ?? full[o.type]
    known.set(o.id, found)
    return found
  }
  const rangeOfReg = (reg: Reg, type: Whole): ValueRange | null => {
    const own = definitions.get(reg.id) ?? []
    const step = counters.get(reg.id)
    if (step && own.length === 2) {
      const first = own.find((s) => s !== step)
      const start = first?.kind === 'op' ? rangeOfOp(first, type) : null
      return start && { least: start.least, most }
    }
    const [only] = own
    if (own.length !== 1 || !only) return null
    if (only.kind === 'builtin') return builtinRange(kernel, only.name)
    return only.kind === 'op' ? rangeOfOp(only, type) : null
  }
  const rangeOfOp = (s: Extract<Stmt, { kind: 'op' }>, type: Whole): ValueRange | null => {
    const args = s.args.map(of)
    const [a, b, c] = args
    if (!a)
      return s.op === 'select' && b && c ? within(type, Math.min(b.least, c.least), Math.max(b.most, c.most)) : null
    if (s.op === 'copy' || s.op === 'convert') return within(type, a.least, a.most)
    return b ? within(type, ...binary(s.op, a, b)) : null
  }
  return of
}

/** The ends of an operation on two ranges; NaN where nothing is known. */
function binary(op: string, a: ValueRange, b: ValueRange): readonly [number, number] {
  const steady = b.least === b.most && b.least > 0
  switch (op) {
    case 'add':
      return [a.least + b.least, a.most + b.most]
    case 'sub':
      return [a.least - b.most, a.most - b.least]
    case 'mul': {
      const ends = [a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most]
      return [Math.min(...ends), Math.max(...ends)]
    }
    case 'min':
      return [Math.min(a.least, b.least), Math.min(a.most, b.most)]
    case 'max':
      return [Math.max(a.least, b.least), Math.max(a.most, b.most)]
    case 'div':
      return steady ? [Math.trunc(a.least / b.least), Math.trunc(a.most / b.least)] : [NaN, NaN]
    case 'rem':
      return steady ? [a.least < 0 ? 1 - b.least : 0, Math.min(Math.max(a.most, 0), b.least - 1)] : [NaN, NaN]
    case 'shr':
      return b.least === b.most && b.least >= 0 && b.least < 32 && a.least >= 0
        ? [Math.floor(a.least / 2 ** b.least), Math.floor(a.most / 2 ** b.least)]
        : [NaN, NaN]
    case 'and':
      return b.least >= 0 ? [0, b.most] : [NaN, NaN]
    default:
      return [NaN, NaN]
  }
}

/** The range if it does not wrap. */
const within = (type: Whole, least: number, greatest: number): ValueRange | null =>
  least >= full[type].least && greatest <= full[type].most ? { least, most: greatest } : null

/** Blocks along an axis: at most what CUDA allows. */
function builtinRange(kernel: Kernel, name: string): ValueRange | null {
  const axis = 'xyz'.indexOf(name.at(-1)!),
    extent = kernel.block[axis as 0 | 1 | 2] ?? 0 // -1 for names without an axis
  if (name.startsWith('threadIdx')) return { least: 0, most: extent - 1 }
  if (name.startsWith('blockDim')) return { least: extent, most: extent }
  if (name.startsWith('blockIdx') || name.startsWith('gridDim')) return { least: 0, most }
  return { least: 0, most: kernel.block.reduce((n, d) => n * d, 1) } // ranks, lanes and sizes of warps
}

/**
 * Definitions by register; and counters: `r = r + 1` as all of a loop's continuing part, where the loop's body starts
 * with `if !(r < …) break`.
 */
function collect(
  list: readonly Stmt[],
  definitions: Map<number, Stmt[]>,
  counters: Map<number, Extract<Stmt, { kind: 'op' }>>,
): void {
  for (const s of list) {
    for (const r of definesOf(s)) definitions.set(r.id, [...(definitions.get(r.id) ?? []), s])
    for (const inner of listsOf(s)) collect(inner, definitions, counters)
    const counter = s.kind === 'loop' ? counterOf(s) : null
    if (counter?.dst) counters.set(counter.dst.id, counter)
  }
}

function counterOf(loop: Extract<Stmt, { kind: 'loop' }>): Extract<Stmt, { kind: 'op' }> | null {
  const [update] = loop.continuing
  if (loop.continuing.length !== 1 || update?.kind !== 'op' || update.op !== 'add') return null
  const [a, b] = update.args
  if (a?.kind !== 'reg' || a.id !== update.dst.id || b?.kind !== 'const' || Number(b.value) !== 1) return null
  return leavesAtMost(loop.body, a) ? update : null
}

/** Whether the list starts by leaving the loop unless `counter` is below something. */
function leavesAtMost(body: readonly Stmt[], counter: Reg): boolean {
  const at = body.findIndex((s) => s.kind !== 'op')
  const exit = body[at]
  if (exit?.kind !== 'if') return false
  const { condition } = exit
  const test = body.slice(0, at).find((s) => s.kind === 'op' && condition.kind === 'reg' && s.dst.id === condition.id)
  if (test?.kind !== 'op' || test.args[0]?.kind !== 'reg' || test.args[0].id !== counter.id) return false
  const only = (list: readonly Stmt[]): boolean => list.length === 1 && list[0]!.kind === 'break'
  return test.op === 'lt'
    ? exit.then.length === 0 && only(exit.else)
    : test.op === 'ge' && only(exit.then) && exit.else.length === 0
}
