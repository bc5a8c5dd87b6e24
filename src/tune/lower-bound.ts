// In: a program, its planned sizes, a GPU. Out: a lower bound on the time of any schedule: bytes that must be read or
// written at least once, and operations of the source, at the GPU's peak rates. The one idea is the roofline (Williams,
// Waterman and Patterson 2009) of a program instead of a kernel: no tiling or order makes it faster, only another
// algorithm. How often a guarded statement runs is estimated by sampling iterations of its loops; statements that
// depend on data count as never executed.
import { random, type Random } from '../base/index.ts'
import type { GpuProfile } from '../gpus/index.ts'
import {
  affineOf,
  arrayBytes,
  bytesOf,
  conjuncts,
  eachExpr,
  exprKey,
  gcd,
  isEndless,
  isFloat,
  opRow,
  ownExprs,
  planValueIfKnown,
  readsArray,
  rewriteExpr,
  someExpr,
  storedIn,
  uses,
  varsOf,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type PlanValues,
  type Program,
  type Store,
} from '../ir/index.ts'
import { isFixing, siftedTerm, withoutInvariants } from '../transform/index.ts'

/** Operations by the pipe that does them; a product that is added at once counts as one. */
export interface Operations {
  readonly fp32: number
  readonly fp64: number
  readonly int: number
  readonly sfu: number
}

export interface LowerBound {
  /** Bytes of the caller's arrays that are read or written at least once. */
  readonly bytes: number
  readonly operations: Operations
  /** Nanoseconds that each would take alone. */
  readonly terms: Readonly<Record<keyof Operations | 'memory', number>>
  readonly boundBy: keyof Operations | 'memory'
  /** Nanoseconds of the longest of them and of one launch. */
  readonly ns: number
}

/** Random iterations of all loops. */
const samples = 512

export function lowerBound(source: Program, values: PlanValues, gpu: GpuProfile): LowerBound {
  const program = withoutInvariants(source) // what need not be done again is no work
  const walk = new Walk(values)
  for (let n = 0; n < samples; n++) walk.body(program.body, 1, {})
  const share = (n: number): number => n / samples
  const operations: Operations = {
    fp32: share(walk.counts.fp32),
    fp64: share(walk.counts.fp64),
    int: share(walk.counts.int),
    sfu: share(walk.counts.sfu),
  }
  const bytes = program.arrays.reduce((n, a) => n + walk.bytesOf(a), 0),
    seconds = bytes / memoryRate(gpu, bytes)
  const per = gpu.multiprocessors * gpu.clockHz.value
  const nsOf = (count: number, rate: { readonly value: number }): number => (1e9 * count) / (per * rate.value)
  const terms = {
    memory: 1e9 * seconds,
    fp32: nsOf(operations.fp32, gpu.throughput.fp32),
    fp64: nsOf(operations.fp64, gpu.throughput.fp64),
    int: nsOf(operations.int, gpu.throughput.int32),
    sfu: nsOf(operations.sfu, gpu.throughput.sfu),
  }
  const [boundBy, longest] = Object.entries(terms).reduce((a, b) => (b[1] > a[1] ? b : a)) as [
    LowerBound['boundBy'],
    number,
  ] // its keys
  return { bytes, operations, terms, boundBy, ns: longest + gpu.launchNs.value }
}

/** Bytes a second of L2 where it holds all, else of DRAM. */
function memoryRate(gpu: GpuProfile, bytes: number): number {
  const l2 = gpu.multiprocessors * gpu.clockHz.value * gpu.throughput.l2Bytes.value
  return bytes <= gpu.memory.l2Bytes.value
    ? Math.max(l2, gpu.memory.dramBytesPerSecond.value)
    : gpu.memory.dramBytesPerSecond.value
}

/** Values of loop variables, and of local integers by `localName`. */
type Variables = Readonly<Record<string, number>>

const localName = (array: string): string => `${array}[]`

const withLocals = (e: Expr, at: Variables): Expr =>
  rewriteExpr(e, (x) =>
    x.kind === 'read' && x.index.length === 0 && Object.hasOwn(at, localName(x.array))
      ? { kind: 'const', type: x.type, value: at[localName(x.array)]! }
      : undefined,
  )

/** How the elements of an array are used: the most that one access touches, on average of the iterations tried. */
interface Touched {
  read: number
  written: number
}

class Walk {
  readonly counts = { fp32: 0, fp64: 0, int: 0, sfu: 0 }
  /** Iterations of loops where they were come to. */
  private readonly turns = new Map<Loop, { sum: number; times: number }>()
  private readonly uses = new Map<string, Map<readonly Expr[], readonly Loop[]>>()
  private readonly stored = new Map<string, Map<readonly Expr[], readonly Loop[]>>()
  private readonly around: Loop[] = []
  private readonly r: Random = random(1)
  private readonly numbers = new ValueNumbers()
  /** What locals were set to last. */
  private readonly locals = new Map<string, Expr>()

  constructor(private readonly values: PlanValues) {}

  body(stmts: readonly LoopStmt[], weight: number, around: Variables): void {
    let at = around
    for (const s of stmts) {
      switch (s.kind) {
        case 'declare':
          break
        case 'store':
          this.store(s, weight, at)
          at = this.withLocal(s, at)
          break
        case 'if': {
          this.reads([s.condition])
          const holds = this.known(s.condition, at)
          if (holds !== undefined) this.body(holds !== 0 ? s.then : s.else, weight, at)
          else {
            for (const name of storedIn(s.then.concat(s.else))) this.locals.delete(name)
            if (this.varies(s.condition)) this.operations(s.condition, weight, at, new Set())
            for (const x of inBoth(s.then, s.else)) this.note(this.stored, x.array, x.index)
          }
          break
        }
        case 'loop':
          this.loop(s, weight, at)
      }
    }
  }

  /** Whether a condition is another one in each iteration of the loop around. */
  private varies(condition: Expr): boolean {
    const around = this.around.at(-1)
    if (!around || isEndless(around) || isFixing(conjuncts(condition), this.around)) return false
    const stored = storedIn(around.body)
    return uses(condition, around.name) || someExpr(condition, (x) => x.kind === 'read' && stored.includes(x.array))
  }

  /** What is known behind a store: a local integer that places decide is a place. */
  private withLocal(s: Store, at: Variables): Variables {
    if (s.index.length > 0 || s.value.type !== 'i32') return at
    const value = s.reduce ? undefined : this.known(s.value, at)
    if (value !== undefined) return { ...at, [localName(s.array)]: value }
    const { [localName(s.array)]: _, ...rest } = at
    return rest
  }

  private loop(l: Loop, weight: number, at: Variables): void {
    const low = this.known(l.lower, at),
      high = this.known(l.upper, at)
    const count = low === undefined || high === undefined || isEndless(l) ? 1 : Math.ceil((high - low) / l.step)
    const known = this.turns.get(l) ?? { sum: 0, times: 0 }
    known.sum += Math.max(0, count)
    known.times++
    this.turns.set(l, known)
    if (count <= 0) return
    this.around.push(l)
    this.body(l.body, weight * count, { ...at, [l.name]: (low ?? 0) + l.step * this.r.int(0, count - 1) })
    this.around.pop()
  }

  private store(s: Store, weight: number, at: Variables): void {
    this.note(this.stored, s.array, s.index)
    if (s.reduce) this.note(this.uses, s.array, s.index)
    this.reads(ownExprs(s))
    // one iteration of a loop has the term: the others need not be run to know that they add nothing
    const sifted = s.reduce && siftedTerm(this.withValues(s.value), s.reduce, this.around)
    this.noteLocal(s)
    if (sifted && !sifted.guards.every((g) => this.known(g, at) === 1)) return
    this.operations(s.value, weight, at, new Set())
    if (!s.reduce) return
    const isFused = s.reduce === 'add' && isProduct(s.value)
    if (!isFused) this.add(s.value, 'add', weight)
  }

  private noteLocal({ array, index, reduce, value }: Store): void {
    if (index.length === 0 && !reduce && value.kind !== 'const') this.locals.set(array, value)
    else this.locals.delete(array)
  }

  private readonly withValues = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'read' && x.index.length === 0 ? this.locals.get(x.array) : undefined))

  private note(uses: Walk['uses'], array: string, index: readonly Expr[]): void {
    const known = uses.get(array) ?? new Map<readonly Expr[], readonly Loop[]>()
    if (!known.has(index)) known.set(index, [...this.around])
    uses.set(array, known)
  }

  /** Notes what is read whatever the data are: of a choice that they decide, the condition alone. */
  private reads(list: readonly Expr[]): void {
    for (const e of list) {
      const left = new Set<Expr>()
      eachExpr(e, (x) => {
        if (x.kind === 'choose' && readsArray(x.condition))
          for (const side of [x.then, x.else]) eachExpr(side, (y) => left.add(y))
        if (x.kind === 'read' && !left.has(x)) this.note(this.uses, x.array, x.index)
      })
    }
  }

  /** `done`: expressions of this statement that are known by now; what stands several times is computed once. */
  private operations(e: Expr, weight: number, at: Variables, done: Set<number>): void {
    if (e.kind === 'choose') {
      const holds = this.known(e.condition, at)
      if (holds !== undefined) this.operations(holds !== 0 ? e.then : e.else, weight, at, done)
      return
    }
    const id = this.numbers.of(e)
    if (e.kind !== 'op' || done.has(id) || e.args.every((x) => x.kind === 'const')) return
    done.add(id)
    const isFused = (e.op === 'add' || e.op === 'sub') && e.args.some(isProduct)
    if (!isFused) this.add(e, e.op, weight)
    e.args.forEach((x) => this.operations(x, weight, at, done))
  }

  private add(e: Expr, op: Extract<Expr, { kind: 'op' }>['op'], weight: number): void {
    if (op === 'convert' || op === 'bitcast' || op === 'copy') return
    if (e.type === 'bool') return this.comparison(e, weight)
    if (op === 'div' || opRow(op).class === 'sfu') this.counts[e.type === 'f64' ? 'fp64' : 'sfu'] += weight
    else if (e.type === 'f64') this.counts.fp64 += weight
    else if (isFloat(e.type)) this.counts.fp32 += weight
    else if (e.kind === 'op' && readsArray(e)) this.counts.int += weight
  }

  /** Comparisons of data; what is made of their answers may be part of other instructions. */
  private comparison(e: Expr, weight: number): void {
    const [first] = e.kind === 'op' ? e.args : []
    if (!first || first.type === 'bool' || !readsArray(e)) return
    if (first.type === 'f64') this.counts.fp64 += weight
    else if (isFloat(first.type)) this.counts.fp32 += weight
    else this.counts.int += weight
  }

  /** The value of an expression without data, or undefined. */
  private known(given: Expr, at: Variables): number | undefined {
    const e = readsArray(given) ? withLocals(given, at) : given
    if (readsArray(e) || [...varsOf(e)].some((name) => !Object.hasOwn(at, name))) return undefined
    return planValueIfKnown(e, { ...this.values, variables: { ...this.values.variables, ...at } })
  }

  /** Bytes of an array that are read and written at least once. */
  bytesOf(a: ArrayDecl): number {
    if (a.role === 'temp' || a.space !== 'global') return 0
    const all = arrayBytes(a, this.values),
      elements: Touched = { read: 0, written: 0 }
    if (a.role !== 'out') elements.read = this.most(this.uses.get(a.name))
    elements.written = this.most(this.stored.get(a.name))
    return Math.min(all, elements.read * bytesOf[a.type]) + Math.min(all, elements.written * bytesOf[a.type])
  }

  /**
   * Elements that accesses touch: of all the one that touches most, by the loops that its subscripts use, with those
   * beside it whose elements are never its own (members of structures).
   */
  private most(accesses: ReadonlyMap<readonly Expr[], readonly Loop[]> | undefined): number {
    const beside = new Map<string, Map<string, number>>()
    for (const [index, loops] of accesses ?? []) {
      // what data choose may be one element again and again
      const places = index.filter((e) => !readsArray(e))
      const vars = this.movers(new Set(places.flatMap((e) => [...varsOf(e)])), loops)
      const count = loops.filter((l) => vars.has(l.name)).reduce((n, l) => n * Math.max(1, this.average(l)), 1)
      const { form, remainder } = classOf(index),
        known = beside.get(form) ?? new Map<string, number>()
      known.set(remainder, Math.max(count, known.get(remainder) ?? 0))
      beside.set(form, known)
    }
    return Math.max(0, ...[...beside.values()].map((x) => [...x.values()].reduce((n, count) => n + count, 0)))
  }

  /** With loops that move a whole loop of these to other values each time: strips lie beside each other. */
  private movers(vars: ReadonlySet<string>, loops: readonly Loop[]): ReadonlySet<string> {
    const all = new Set(vars)
    for (const l of loops.filter((x) => vars.has(x.name)))
      for (const [name, c] of affineOf(l.lower)?.terms ?? [])
        if (!name.startsWith('$') && Math.abs(c) >= this.average(l)) all.add(name)
    return all
  }

  private average(l: Loop): number {
    const { sum, times } = this.turns.get(l) ?? { sum: 1, times: 1 }
    return sum / times
  }
}

/**
 * What subscripts have in common with others of their kind, and a remainder: of one form, those of different remainders
 * never meet, as all steps of their loops are multiples of what it is a remainder by.
 */
function classOf(index: readonly Expr[]): { readonly form: string; readonly remainder: string } {
  const parts = index.map((e) => {
    const affine = readsArray(e) ? undefined : affineOf(e)
    if (!affine) return { form: exprKey(e), remainder: 0 }
    const steps = [...affine.terms.values()].reduce(gcd, 0)
    const form = [...affine.terms].map(([name, c]) => `${c}${name}`).sort()
    return { form: form.join('+'), remainder: steps === 0 ? affine.constant : mod(affine.constant, steps) }
  })
  return { form: parts.map((x) => x.form).join(', '), remainder: parts.map((x) => x.remainder).join(', ') }
}

const mod = (a: number, b: number): number => ((a % b) + b) % b

/** Stores that both branches make. */
function inBoth(then: readonly LoopStmt[], other: readonly LoopStmt[]): readonly Store[] {
  const keyOf = (s: Store): string => `${s.array} ${s.index.map(exprKey).join(' ')}`,
    there = new Set(certainStores(other).map(keyOf))
  return there.size === 0 ? [] : certainStores(then).filter((s) => there.has(keyOf(s)))
}

/** Stores that `body` makes whatever the data are, outside of its loops. */
const certainStores = (body: readonly LoopStmt[]): readonly Store[] =>
  body.flatMap((s) => (s.kind === 'store' ? [s] : s.kind === 'if' ? inBoth(s.then, s.else) : []))

/** Numbers that equal expressions share (value numbering). */
class ValueNumbers {
  private readonly known = new WeakMap<Expr, number>()
  private readonly byKey = new Map<string, number>()

  of(e: Expr): number {
    const known = this.known.get(e)
    if (known !== undefined) return known
    const key =
      e.kind === 'op'
        ? `${e.type} ${e.op} ${e.args.map((x) => this.of(x)).join(' ')}`
        : e.kind === 'choose'
          ? `${this.of(e.condition)} ? ${this.of(e.then)} : ${this.of(e.else)}`
          : e.kind === 'read'
            ? `${e.array}[${e.index.map((x) => this.of(x)).join(' ')}]`
            : exprKey(e)
    const number = this.byKey.get(key) ?? this.byKey.size
    this.byKey.set(key, number)
    this.known.set(e, number)
    return number
  }
}

const isProduct = (e: Expr): boolean => e.kind === 'op' && e.op === 'mul' && isFloat(e.type)
