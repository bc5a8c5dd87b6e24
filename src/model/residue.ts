// In: a kernel and how often its statements ran. Out: for each statement the instructions that an optimising compiler
// leaves of one execution. The one idea: four rules that every GPU compiler follows: what does not change in a loop is
// computed before it; what a loop counts with is folded into addresses and its test is paid once per unrolled group;
// the same value is computed once; a short branch becomes predicates. Operations without an instruction of their own
// (divisions, sines) count as many as their expansion has.
import { ValueNumbers } from '../base/index.ts'
import {
  allStatements,
  bytesOf,
  definesOf,
  isCached,
  listsOf,
  timesDefined,
  usesOf,
  type Counters,
  type Kernel,
  type Operand,
  type OpName,
  type ScalarType,
  type Stmt,
} from '../ir/index.ts'
import type { CompilerHabits } from '../gpus/index.ts'
import { adjacentLoads } from './adjacent-loads.ts'
import { instructionsOf, type Compiler } from './instructions.ts'

export interface Residue {
  /** Instructions issued per execution of the statement by a warp; 0 when nothing is left. */
  issued(s: Stmt): number
  /** Iterations that a compiler merges into one body; 1 where it does not, `Infinity` for all. */
  unrolled(loop: Stmt): number
  /** Of a statement's executions, the part that is left: 1 unless it moved out of a loop or became an operand. */
  kept(s: Stmt): number
  /** Whether the statement only counts rounds: its result is there long before anyone waits for it. */
  early(s: Stmt): boolean
  /** Iterations per entry, on average. */
  rounds(loop: Stmt): number
  /** Executions by warps. */
  warps(s: Stmt): number
}

/**
 * Iterations in one unrolled body of a loop whose trip count is open; CUDA's compilers keep twice as many loads under
 * way (bench/model).
 */
const unroll = 4
/** The same where the trip count is a constant. */
const constantUnroll = 16
/** Statements up to which a loop's body is unrolled at all; where compilers stop exactly was not measured. */
const smallBody = 64
/**
 * Statements up to which a whole constant loop is written out, a quarter of them where barriers are inside. It agrees
 * with the kernels of bench/model; the exact limits of compilers are not known.
 */
const wholeLoop = 1024
/** Passes of joined loads ÷ passes of the loads apart: a quarter as many requests of up to twice as many passes. */
const joined = 0.5
/** Bytes of an element of an array in WGSL's uniform address space, at least. */
const uniformElement = 16
/** Values that a compiler keeps in registers rather than loading them again in every round of an outer loop. */
const mostKept = 64

/** Compilers of today. */
const today: Omit<CompilerHabits, 'source'> = {
  joinsSharedLoads: true,
  unrollsOpenLoops: true,
  liftsLoads: true,
  narrowAddresses: false,
  unrollsChoices: false,
}

export function residueOf(
  kernel: Kernel,
  counters: Counters,
  compiler: Compiler = 'webgpu',
  habits: Omit<CompilerHabits, 'source'> = today,
): Residue {
  const ran = new Map<Stmt, number>()
  for (const e of counters.executions) for (const s of e.statements) ran.set(s, e.warps)
  const operands = compiler === 'webgpu' ? uniformOperands(kernel, counters) : new Set<Stmt>()
  const pass = new Pass(kernel, ran, compiler, operands, habits)
  pass.list(kernel.body, [], launchedWarps(counters))
  return {
    issued: (s) => pass.left.get(s) ?? 0,
    kept: (s) => pass.kept.get(s) ?? 0,
    early: (s) => pass.early.has(s),
    unrolled: (s) => pass.factors.get(s) ?? 1,
    rounds: (s) => pass.rounds.get(s) ?? 1,
    warps: (s) => ran.get(s) ?? 0,
  }
}

const launchedWarps = ({ grid, block }: Counters): number =>
  grid[0] * grid[1] * grid[2] * Math.ceil((block[0] * block[1] * block[2]) / 32)

/** What is known of one loop around a statement. */
interface Around {
  readonly loop: Extract<Stmt, { kind: 'loop' }>
  /** Registers that change in the loop; what is found not to change leaves it. */
  readonly varying: Set<number>
  /**
   * Registers that grow by the same amount each iteration, and what is computed from such by sums and constant factors.
   */
  readonly counting: Set<number>
  readonly factor: number
  /** Entries ÷ iterations. */
  readonly perIteration: number
}

class Pass {
  readonly left = new Map<Stmt, number>()
  readonly factors = new Map<Stmt, number>()
  readonly rounds = new Map<Stmt, number>()
  readonly early = new Set<Stmt>()
  readonly kept = new Map<Stmt, number>()
  private readonly ran: ReadonlyMap<Stmt, number>
  private readonly compiler: Compiler
  /** Whether the kernel comes from machine code: its statements say what they cost. */
  private readonly compiled: boolean
  private readonly written: ReadonlySet<string>
  private readonly global: ReadonlySet<string>
  private readonly shared: ReadonlySet<string>
  private readonly uniform: ReadonlySet<string>
  private readonly fused: ReadonlySet<Stmt>
  /** Loads of which four make one. */
  private readonly adjacent: ReadonlySet<Stmt>
  /** Sums with a constant that instructions of memory hold. */
  private readonly offsets: ReadonlySet<Stmt>
  /** Loads that are operands of the instructions that use them. */
  private readonly operands: ReadonlySet<Stmt>
  /** Registers whose every assignment outside loops is a constant. */
  private readonly initial: ReadonlySet<number>

  private readonly habits: Omit<CompilerHabits, 'source'>
  private readonly numbers = new ValueNumbers()

  constructor(
    kernel: Kernel,
    ran: ReadonlyMap<Stmt, number>,
    compiler: Compiler,
    operands: ReadonlySet<Stmt>,
    habits: Omit<CompilerHabits, 'source'>,
  ) {
    this.operands = operands
    this.habits = habits
    this.ran = ran
    this.compiler = compiler
    this.compiled = allStatements(kernel.body).some((s) => s.counts !== undefined)
    this.written = new Set(kernel.resources.filter((r) => r.access !== 'read').map((r) => r.name))
    this.global = new Set(kernel.resources.filter(isCached).map((r) => r.name))
    this.shared = new Set(kernel.resources.filter((r) => r.space === 'shared').map((r) => r.name))
    this.uniform = new Set(kernel.resources.filter((r) => r.space === 'constant').map((r) => r.name))
    this.fused = fusedProducts(kernel.body)
    this.adjacent = adjacentLoads(kernel, habits.joinsSharedLoads && !this.compiled ? this.shared : new Set())
    this.initial = constantsOf(kernel.body)
    this.offsets = habits.narrowAddresses ? offsetsOf(kernel.body) : new Set()
  }

  /** `entries`: warps that come to the list's beginning. */
  list(body: readonly Stmt[], around: readonly Around[], entries: number): void {
    const known = new Set<number>()
    const version = new Map<number, number>()
    let came = entries
    for (const s of body) {
      if (s.kind !== 'loop') came = this.ran.get(s) ?? came
      if (this.compiled) this.asItIs(s)
      else
        this.left.set(
          s,
          this.seen(s, known, version) || s.free || this.fused.has(s) || this.offsets.has(s) ? 0 : this.one(s, around),
        )
      if (s.kind === 'loop') this.loop(s, around, came)
      else for (const inner of listsOf(s)) this.list(inner, around, this.countOf(inner, came))
    }
  }

  /** What a compiler has made already is left as it is. */
  private asItIs(s: Stmt): void {
    this.left.set(
      s,
      s.counts ? Object.values(s.counts).reduce((a, b) => a + b, 0) : s.free ? 0 : instructionsOf(s, this.compiler),
    )
    this.kept.set(s, 1)
  }

  private countOf(list: readonly Stmt[], otherwise: number): number {
    const counted = list.find((s) => this.ran.has(s))
    return counted ? this.ran.get(counted)! : otherwise
  }

  private loop(s: Extract<Stmt, { kind: 'loop' }>, around: readonly Around[], entries: number): void {
    const begun = this.countOf(s.body, this.countOf(s.continuing, entries))
    /** The last round only finds that it is the last. */
    const iterations = this.countOf([...s.continuing, ...[...s.body].reverse()], begun)
    const trips = entries > 0 ? Math.max(1, iterations / entries) : 1
    const varying = this.varyingIn(s)
    const factor =
      this.compiled || this.choosesComponents(s, varying)
        ? 1
        : unrolling(s, trips, this.compiler, this.initial, this.habits.unrollsOpenLoops)
    this.factors.set(s, factor)
    this.rounds.set(s, trips)
    const next: Around = {
      loop: s,
      varying,
      counting: countingIn(s, varying, this.compiler === 'cuda'),
      factor,
      perIteration: 1 / trips,
    }
    this.list(s.body, [...around, next], begun)
    this.list(s.continuing, [...around, next], iterations)
  }

  /**
   * Whether the loop chooses components of vectors in uniform memory, `table[i / 4][i % 4]`: arrays there have elements
   * of 16 bytes, so that a step of one word is a choice. WebGPU's compilers leave such a loop as it is: measured on an
   * H100, a support vector machine takes 1.05 ms with it and 53 µs with a component that is fixed
   * (bench/data/h100-svm.json).
   */
  private choosesComponents(s: Extract<Stmt, { kind: 'loop' }>, varying: ReadonlySet<number>): boolean {
    return (
      this.compiler === 'webgpu' &&
      !this.habits.unrollsChoices &&
      [...s.body, ...s.continuing].some(
        (x) =>
          x.kind === 'load' &&
          this.uniform.has(x.address.resource) &&
          x.address.stride < uniformElement &&
          x.address.index.kind === 'reg' &&
          varying.has(x.address.index.id),
      )
    )
  }

  /** Registers that change in the loop: all that it assigns, but for pure values of what does not change. */
  private varyingIn(s: Extract<Stmt, { kind: 'loop' }>): Set<number> {
    const all = allStatements([...s.body, ...s.continuing])
    const varying = new Set(definedIn([...s.body, ...s.continuing]))
    const around: Around = { loop: s, varying, counting: new Set(), factor: 1, perIteration: 1 }
    for (let grew = true; grew; ) {
      grew = false
      for (const x of all) {
        if (definesOf(x).every((r) => !varying.has(r.id)) || !this.invariant(x, around)) continue
        for (const r of definesOf(x)) grew = varying.delete(r.id) || grew
      }
    }
    return varying
  }

  /** Whether the list has already computed the same value from the same arguments. */
  private seen(s: Stmt, known: Set<number>, version: Map<number, number>): boolean {
    const value = this.valueOf(s, version)
    for (const { id } of definesOf(s)) version.set(id, (version.get(id) ?? 0) + 1)
    for (const list of listsOf(s)) for (const id of definedIn(list)) version.set(id, (version.get(id) ?? 0) + 1)
    if (value === undefined) return false
    const again = known.has(value)
    known.add(value)
    return again
  }

  /** The number of what a statement computes from its arguments; undefined where that is not all that decides. */
  private valueOf(s: Stmt, version: ReadonlyMap<number, number>): number | undefined {
    const { numbers } = this
    const operand = (o: Operand): number =>
      o.kind === 'reg'
        ? numbers.ofPair(-1 - o.id, version.get(o.id) ?? 0)
        : numbers.ofText(o.kind === 'param' ? `$${o.name}` : `${o.type}${o.value}`)
    if (s.kind === 'op') {
      let value = numbers.ofText(`${s.op} ${s.dst.type}`)
      for (const o of s.args) value = numbers.ofPair(value, operand(o))
      return value
    }
    if (s.kind !== 'load') return undefined
    const { resource, index, stride, offset } = s.address
    if (this.written.has(resource) || this.shared.has(resource)) return undefined
    return numbers.ofPair(
      numbers.ofText(`load ${s.type} ${s.dst.length} ${resource} ${stride} ${offset}`),
      operand(index),
    )
  }

  private one(s: Stmt, around: readonly Around[]): number {
    const full = this.operands.has(s) ? 0 : this.instructions(s, around.at(-1))
    let weight = full
    for (let i = around.length - 1; weight > 0 && i >= 0; i--) {
      const a = around[i]!
      if (!this.invariant(s, a)) {
        if (counts(s, a)) this.early.add(s)
        weight *= counted(s, a)
        const outer = around[i - 1]
        if (outer && this.keptInRegisters(s, a, outer)) weight *= outer.perIteration
        break
      }
      weight *= a.perIteration
    }
    const inner = around.at(-1)
    const joins = inner && this.habits.joinsSharedLoads && inner.factor >= unroll && this.joins(s, inner)
    if (joins || this.adjacent.has(s)) weight *= joined
    this.kept.set(s, full > 0 ? weight / full : 0)
    return weight
  }

  /** Divisors that a loop does not change are inverted before it. */
  private instructions(s: Stmt, a: Around | undefined): number {
    if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') return 1 + this.addressing(s, a)
    const n = instructionsOf(s, this.compiler)
    if (
      s.kind === 'op' &&
      (s.op === 'div' || s.op === 'rem') &&
      a?.factor === Infinity &&
      s.args[1]?.kind === 'reg' &&
      a.counting.has(s.args[1].id)
    )
      return 1
    const by = s.kind === 'op' && (s.op === 'div' || s.op === 'rem') ? s.args[1] : undefined
    return n >= 20 && a && by?.kind === 'reg' && !a.varying.has(by.id) ? n - 7 : n
  }

  /**
   * What an access adds to its own instruction: a 64-bit address in global memory, a bounds check in WebGPU; neither
   * when a loop only counts it.
   */
  private addressing(s: Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>, a: Around | undefined): number {
    const { index, resource } = s.address
    if (index.kind !== 'reg') return 0
    const folded = a !== undefined && (!a.varying.has(index.id) || (a.counting.has(index.id) && a.factor > 1))
    return (
      (this.global.has(resource) && !folded && !this.habits.narrowAddresses ? 1 : 0) +
      (this.compiler === 'webgpu' && !folded ? 1 : 0)
    )
  }

  /**
   * Loads of shared memory that follow each other from round to round: the compiler joins four into one of 16 bytes.
   */
  private joins(s: Stmt, a: Around): boolean {
    if (s.kind !== 'load' || !this.shared.has(s.address.resource) || s.address.index.kind !== 'reg') return false
    return (
      stepOf(s.address.index.id, a) * s.address.stride === s.dst.length * bytesOf[s.type] &&
      s.dst.length * bytesOf[s.type] <= 4
    )
  }

  /** A load in a loop that is written out whole, of what the loop around does not change: a register for each round. */
  private keptInRegisters(s: Stmt, inner: Around, outer: Around): boolean {
    if (
      s.kind !== 'load' ||
      this.written.has(s.address.resource) ||
      inner.factor !== Infinity ||
      outer.factor === Infinity ||
      1 / inner.perIteration > mostKept
    )
      return false
    const index = s.address.index
    return index.kind === 'reg' && inner.counting.has(index.id) && this.fromFixed(index.id, inner, outer)
  }

  /** Whether a counted value depends on nothing but the inner count and what the outer loop does not change. */
  private fromFixed(id: number, inner: Around, outer: Around, seen: ReadonlySet<number> = new Set()): boolean {
    if (!outer.varying.has(id) || seen.has(id)) return true
    const made = allStatements([...inner.loop.body, ...inner.loop.continuing]).filter(
      (x) => x.kind === 'op' && x.dst.id === id,
    )
    return (
      made.length === 1 &&
      made.every((x) =>
        usesOf(x).every((o) => o.kind !== 'reg' || this.fromFixed(o.id, inner, outer, new Set([...seen, id]))),
      )
    )
  }

  private invariant(s: Stmt, a: Around): boolean {
    const pure = s.kind === 'op' || s.kind === 'builtin' || (s.kind === 'load' && !this.written.has(s.address.resource))
    return (
      pure &&
      usesOf(s).every((o) => o.kind !== 'reg' || !a.varying.has(o.id)) &&
      definesOf(s).every((r) => assignedOnce(a.loop, r.id))
    )
  }
}

/**
 * By how much a counted register grows each round; NaN when that is no constant, as for registers that follow from
 * each other through more than one assignment.
 */
function stepOf(id: number, a: Around, steps = new Map<number, number>()): number {
  const known = steps.get(id)
  if (known !== undefined) return known
  steps.set(id, NaN) // of what is met again on its own way
  const step = a.varying.has(id) ? stepOfMade(id, a, steps) : 0
  steps.set(id, step)
  return step
}

/** The same of a register that is assigned in the loop. */
function stepOfMade(id: number, a: Around, steps: Map<number, number>): number {
  const made = allStatements([...a.loop.body, ...a.loop.continuing]).filter((x) => x.kind === 'op' && x.dst.id === id)
  const s = made[0]
  if (made.length !== 1 || s?.kind !== 'op') return NaN
  const term = (o: Operand | undefined): number => (o?.kind === 'reg' ? stepOf(o.id, a, steps) : 0)
  const value = (o: Operand | undefined): number => (o?.kind === 'const' ? Number(o.value) : NaN)
  const itself = s.args.some((o) => o.kind === 'reg' && o.id === id)
  if (itself) return s.op === 'add' ? value(s.args.find((o) => o.kind === 'const')) : NaN
  switch (s.op) {
    case 'copy':
    case 'convert':
    case 'bitcast':
      return term(s.args[0])
    case 'add':
      return term(s.args[0]) + term(s.args[1])
    case 'sub':
      return term(s.args[0]) - term(s.args[1])
    case 'mul':
      return s.args[1]?.kind === 'const' ? term(s.args[0]) * value(s.args[1]) : term(s.args[1]) * value(s.args[0])
    case 'shl':
      return term(s.args[0]) * 2 ** value(s.args[1])
    default:
      return NaN
  }
}

/** Whether a statement only counts rounds or tests the count. */
function counts(s: Stmt, a: Around): boolean {
  if (s.kind === 'if') return [...s.then, ...s.else].some((x) => x.kind === 'break')
  return (
    s.kind === 'op' &&
    (a.counting.has(s.dst.id) ||
      (s.dst.type === 'bool' && s.args.every((o) => o.kind !== 'reg' || !a.varying.has(o.id) || a.counting.has(o.id))))
  )
}

/** The part of a statement that counting leaves: sums fold into addresses, tests are paid once per group. */
function counted(s: Stmt, a: Around): number {
  if (a.factor === 1) return s.kind === 'op' && a.counting.has(s.dst.id) && isSum(s.op) ? 0.5 : 1
  if (counts(s, a)) return a.factor === Infinity ? 0 : 1 / a.factor
  return s.kind === 'loop' || s.kind === 'break' || s.kind === 'continue' ? 0 : 1
}

/**
 * How many iterations become one body: all of a short constant loop; four of a small one, which WebGPU's compilers do
 * only when its count is constant; one of any with barriers or loops inside.
 */
function unrolling(
  s: Extract<Stmt, { kind: 'loop' }>,
  trips: number,
  compiler: Compiler,
  initial: ReadonlySet<number>,
  openToo: boolean,
): number {
  const size = sizeOf(s.body) + sizeOf(s.continuing)
  const barrier = holds(s.body, 'barrier')
  const constant = constantTrips(s, initial, compiler === 'cuda')
  if (constant && trips * size <= (barrier ? wholeLoop / 4 : wholeLoop)) return Infinity
  if (barrier || holds(s.body, 'loop') || size > smallBody || (!constant && (compiler === 'webgpu' || !openToo)))
    return 1
  return Math.max(1, Math.min(constant ? constantUnroll : compiler === 'cuda' ? 2 * unroll : unroll, Math.round(trips)))
}

/** Whether the loop counts from a constant by constants to a constant. */
function constantTrips(s: Extract<Stmt, { kind: 'loop' }>, initial: ReadonlySet<number>, geometric: boolean): boolean {
  const all = [...s.body, ...s.continuing]
  const counting = countingIn(s, new Set(definedIn(all)), geometric)
  const byConstant = (id: number): boolean =>
    allStatements(all).every(
      (x) =>
        x.kind !== 'op' ||
        x.dst.id !== id ||
        x.args.every((o) => o.kind === 'const' || (o.kind === 'reg' && (o.id === id || counting.has(o.id)))),
    )
  const counts = (id: number): boolean => counting.has(id) && initial.has(id) && byConstant(id)
  return all.some(
    (x) =>
      x.kind === 'op' &&
      x.dst.type === 'bool' &&
      x.args.some((o) => o.kind === 'reg' && counts(o.id)) &&
      x.args.some((o) => o.kind === 'const'),
  )
}

/** Registers that are first assigned a constant. */
function constantsOf(body: readonly Stmt[]): ReadonlySet<number> {
  const first = new Map<number, boolean>()
  for (const s of allStatements(body))
    for (const r of definesOf(s))
      if (!first.has(r.id)) first.set(r.id, s.kind === 'op' && s.op === 'copy' && s.args[0]?.kind === 'const')
  return new Set([...first].filter(([, constant]) => constant).map(([id]) => id))
}

const holds = (list: readonly Stmt[], kind: Stmt['kind']): boolean =>
  list.some((s) => s.kind === kind || listsOf(s).some((inner) => holds(inner, kind)))
const sizeOf = (list: readonly Stmt[]): number =>
  list.reduce((n, s) => n + (instructionsOf(s) > 0 ? 1 : 0) + listsOf(s).reduce((m, inner) => m + sizeOf(inner), 0), 0)

/** The registers that statements of any depth assign, as often as they do. */
function definedIn(list: readonly Stmt[], into: number[] = []): number[] {
  for (const s of list) {
    for (const r of definesOf(s)) into.push(r.id)
    for (const inner of listsOf(s)) definedIn(inner, into)
  }
  return into
}

const assignments = new WeakMap<Stmt, ReadonlyMap<number, number>>()

/** Whether one statement of the loop assigns the register. */
function assignedOnce(loop: Extract<Stmt, { kind: 'loop' }>, id: number): boolean {
  const known = assignments.get(loop)
  if (known) return known.get(id) === 1
  const times = new Map<number, number>()
  for (const x of definedIn([...loop.body, ...loop.continuing])) times.set(x, (times.get(x) ?? 0) + 1)
  assignments.set(loop, times)
  return times.get(id) === 1
}

const isSum = (op: OpName): boolean =>
  op === 'add' || op === 'sub' || op === 'mul' || op === 'shl' || op === 'copy' || op === 'convert' || op === 'bitcast'

/**
 * Registers that count: r := r ± something fixed (CUDA's compiler follows factors too), once in the loop; then all that
 * sums of those and fixed values make.
 */
function countingIn(
  loop: Extract<Stmt, { kind: 'loop' }>,
  varying: ReadonlySet<number>,
  geometric: boolean,
): Set<number> {
  const all = allStatements([...loop.body, ...loop.continuing])
  const fixed = (o: Operand): boolean => o.kind !== 'reg' || !varying.has(o.id)
  const integer = (t: ScalarType): boolean => t === 'i32' || t === 'u32' || t === 'i64' || t === 'u64'
  const counting = new Set<number>()
  for (const s of all) {
    if (s.kind !== 'op' || !integer(s.dst.type) || !assignedOnce(loop, s.dst.id)) continue
    const grows =
      s.op === 'add' ||
      s.op === 'sub' ||
      (geometric &&
        (s.op === 'mul' || s.op === 'shl' || s.op === 'shr' || s.op === 'div') &&
        s.args[1]?.kind === 'const')
    if (grows && s.args.some((o) => o.kind === 'reg' && o.id === s.dst.id) && s.args.some(fixed)) counting.add(s.dst.id)
    if (s.op === 'copy' && s.args[0]?.kind === 'reg') {
      // a register, checked above
      const from = all.find((x) => x.kind === 'op' && x.dst.id === (s.args[0] as { id: number }).id)
      if (
        from?.kind === 'op' &&
        (from.op === 'add' || from.op === 'sub') &&
        from.args.some((o) => o.kind === 'reg' && o.id === s.dst.id)
      )
        counting.add(s.dst.id)
    }
  }
  for (let grew = true; grew; ) {
    grew = false
    for (const s of all) {
      if (
        s.kind !== 'op' ||
        counting.has(s.dst.id) ||
        !integer(s.dst.type) ||
        !isSum(s.op) ||
        !assignedOnce(loop, s.dst.id)
      )
        continue
      if (
        s.args.every((o) => fixed(o) || (o.kind === 'reg' && counting.has(o.id))) &&
        s.args.some((o) => o.kind === 'reg' && counting.has(o.id))
      ) {
        counting.add(s.dst.id)
        grew = true
      }
    }
  }
  return counting
}

/** Loads of uniform tables at one place for all lanes: constants in the instructions that use them. */
function uniformOperands(kernel: Kernel, counters: Counters): ReadonlySet<Stmt> {
  const loads = memoryStatements(kernel)
  return new Set(
    counters.sites
      .filter((s) => s.space === 'constant' && s.wavefronts <= s.idealWavefronts)
      .flatMap((s) => loads[s.site] ?? []),
  )
}

const statements = new WeakMap<Kernel, readonly Stmt[]>()

/** Memory statements in program order: a site's number is its place. */
export function memoryStatements(kernel: Kernel): readonly Stmt[] {
  const known = statements.get(kernel)
  if (known) return known
  const all = allStatements(kernel.body).filter((s) => s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic')
  statements.set(kernel, all)
  return all
}

/** Sums with a constant that are indices and nothing else. */
function offsetsOf(body: readonly Stmt[]): ReadonlySet<Stmt> {
  const all = allStatements(body)
  const values = new Set<number>()
  for (const s of all) for (const o of usesOf(s)) if (o.kind === 'reg' && !isIndexOf(o.id, s)) values.add(o.id)
  const definitions = timesDefined(all)
  return new Set(
    all.filter(
      (s) =>
        s.kind === 'op' &&
        s.op === 'add' &&
        s.args.some((o) => o.kind === 'const') &&
        !values.has(s.dst.id) &&
        definitions.get(s.dst.id) === 1,
    ),
  )
}

/** Whether a statement uses the register as an index, and as nothing else. */
function isIndexOf(id: number, s: Stmt): boolean {
  if (s.kind !== 'load' && s.kind !== 'store' && s.kind !== 'atomic') return false
  const { index } = s.address
  return (
    index.kind === 'reg' && index.id === id && usesOf(s).filter((o) => o.kind === 'reg' && o.id === id).length === 1
  )
}

/** Products used once, by a sum: one multiply-add does both. */
function fusedProducts(body: readonly Stmt[]): ReadonlySet<Stmt> {
  const all = allStatements(body)
  const uses = new Map<number, number>(),
    definitions = timesDefined(all)
  for (const s of all) for (const o of usesOf(s)) if (o.kind === 'reg') uses.set(o.id, (uses.get(o.id) ?? 0) + 1)
  const products = new Map<number, Stmt>()
  for (const s of all)
    if (
      s.kind === 'op' &&
      (s.op === 'mul' || s.op === 'shl') &&
      uses.get(s.dst.id) === 1 &&
      definitions.get(s.dst.id) === 1
    )
      products.set(s.dst.id, s)
  const fused = new Set<Stmt>()
  for (const s of all) {
    if (s.kind !== 'op' || (s.op !== 'add' && s.op !== 'sub')) continue
    const product = s.args
      .map((o) => (o.kind === 'reg' ? products.get(o.id) : undefined))
      .find((x) => x !== undefined && !fused.has(x))
    if (product) fused.add(product)
  }
  return fused
}
