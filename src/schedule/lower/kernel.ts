// In: a scheduled program of one kernel: block loops around phases. Out: a verified `Kernel` and its grid. The one
// idea: thread loops become digits of the thread rank, private arrays registers, barriers stand where `barriers.ts`
// asks; what a statement computes is the business of `values.ts` and `stores.ts`, where index code goes that of
// `index-code.ts` and `code.ts`. It proves nothing about dependences: that is the primitives' business, and the result
// is run against the reference before anyone gets it.
import { fail, InternalError } from '../../base/index.ts'
import {
  endOf,
  literal,
  verifyKernel,
  type ArrayDecl,
  type Expr,
  type Kernel,
  type Loop,
  type LoopStmt,
  type MemoryType,
  type Operand,
  type Program,
  type Reg,
  type Resource,
  type Stmt,
  type Store,
  type Verified,
  identityOf,
  conjuncts,
  constantExtent,
  eachStmt,
  extentOf,
} from '../../ir/index.ts'
import { composed, identityMap, varying, inequalityOf } from '../../analysis/index.ts'
import { barriersBefore, passedOn } from './barriers.ts'
import { changingOf, localArraysOf } from './local-memory.ts'
import { blockLoops, blocksInRow, launchGrid, mustCount, type BlockGrid } from './grid.ts'
import { i32, one } from './operands.ts'
import { globalResource, storedGlobals, usedGlobals, usedParams } from './kernel-interface.ts'
import {
  blockThreads,
  hasThreads,
  missingDigits,
  paddedCount,
  writesMemory,
  type ThreadDigit,
} from './thread-digits.ts'
import { Matrices } from './matrix-units.ts'
import { meetingOf, type Meeting } from './grid-barrier.ts'
import { carriedChoice, emitChoice, type CarriedChoice, type ChoiceItem } from './best-tree.ts'
import { carriedScan, emitScans, type CarriedScan, type ThreadEmitter, type ScanItem } from './thread-scan.ts'
import { all, carriedComposition, literalConst, scalarStoredTo, type CarriedComposition } from './affine-scan.ts'
import { carriedReduction, emitTrees, isTree, type ThreadReduction } from './reduction-tree.ts'
import { Stores } from './stores.ts'
import type { VectorLoop } from './values.ts'

export interface LowerOptions {
  /** Sizes that are known multiples of a number: the kernel is right only for such sizes. */
  readonly multiples?: Readonly<Record<string, number>>
  /** Lanes of a warp that reductions may shuffle across; absent: reductions go through workgroup memory only. */
  readonly warp?: 32
  /** Trees in workgroup memory halve: shorter text, more barriers. */
  readonly halves?: boolean
  /** Places of elements are computed where they are used, in a branch or not: many have places of their own. */
  readonly near?: boolean
  /** Arrays whose loads stay where they stand (see `Resource.access`). */
  readonly held?: readonly string[]
}

export interface LoweredKernel {
  readonly kernel: Verified<Kernel>
  /** Blocks on each axis, in terms of sizes. */
  readonly grid: readonly [Expr, Expr, Expr]
  /** Global arrays in the order of the kernel's resources. */
  readonly arrays: readonly string[]
}

/**
 * Lowers one scheduled nest, or nests over the same blocks, which meet between them. `program.body` is block loops
 * around phases. Throws a `DiagnosticError` when it is not of that form.
 */
export function lowerNest(program: Program, name: string, options: LowerOptions = {}): LoweredKernel {
  const met = meetingOf(program)
  return new Lowering(met?.program ?? program, name, options, met).run()
}

class Lowering extends Stores {
  private readonly resources = new Map<string, Resource>()
  protected readonly localArrays: ReadonlySet<string>
  protected readonly changingArrays: ReadonlySet<string>
  private readonly threads: number
  private readonly shared = new Set<string>()
  private before: ReadonlySet<LoopStmt> = new Set()
  private grid: BlockGrid['grid'] = [one, one, one]
  /** Digits of the thread rank that the loops around run over. */
  private readonly digits: ThreadDigit[] = []
  /** Inside of a statement that only the first threads run. */
  private alone = false
  private buffers = 0

  constructor(
    private readonly program: Program,
    private readonly name: string,
    private readonly options: LowerOptions,
    private readonly met: Meeting | undefined,
  ) {
    super(options.multiples, options.near)
    for (const a of program.arrays) this.arrays.set(a.name, a)
    eachStmt(program.body, (s) => {
      if (s.kind === 'declare') this.declare(s.array)
    })
    this.threads = blockThreads(program)
    this.localArrays = localArraysOf(program, this.arrays)
    this.changingArrays = changingOf(program)
    for (const name of this.localArrays)
      this.resources.set(name, {
        name,
        space: 'local',
        type: this.arrays.get(name)!.type,
        count: paddedCount(this.arrays.get(name)!),
        access: 'read-write',
      }) // just found there
  }

  protected leastOf(size: string): number {
    return this.program.sizes.find((s) => s.name === size)?.min ?? -Infinity
  }

  run(): LoweredKernel {
    const { loops, body } = this.met
      ? { loops: this.met.loops, body: this.program.body }
      : blockLoops(this.program.body)
    loops.forEach(mustCount)
    const place = launchGrid(this.program, loops, this.options.warp !== undefined)
    this.grid = place.grid
    const alone = this.grid.every((e) => e === one)
    if (this.threads > 1)
      this.before = barriersBefore(
        body,
        new Set([...this.shared, ...(alone ? storedGlobals(this.program) : passedOn(this.program))]),
        this.met?.before,
      )
    if (place.folded) this.inRows(place, () => this.body(body))
    else {
      for (const l of loops) {
        const list = place.axes.find((a) => a[0] === l)
        if (list && l.bind.kind === 'block') this.blockDigits(list, this.blockIndex(l.bind.axis, l.name))
      }
      this.body(body)
    }
    const used = usedGlobals(this.program)
    const kernel: Kernel = {
      name: this.name,
      block: [this.threads, 1, 1],
      params: usedParams(this.program, this.scopes[0]!.stmts),
      registers: this.registers,
      body: this.scopes[0]!.stmts,
      resources: [
        ...used.map((a): Resource => globalResource(this.program, a, this.options.held?.includes(a.name))),
        ...this.resources.values(),
      ],
    }
    return { kernel: verifyKernel(kernel), grid: this.grid, arrays: used.map((a) => a.name) }
  }

  // ── declarations ──────────────────────────────────────────────────────────────────────────────────────────────

  private declare(a: ArrayDecl): void {
    this.arrays.set(a.name, a)
    if (a.space !== 'shared') return
    this.shared.add(a.name)
    this.resources.set(a.name, {
      name: a.name,
      space: 'shared',
      type: a.type,
      count: paddedCount(a),
      access: 'read-write',
    })
  }

  private blockIndex(axis: 'x' | 'y' | 'z', name: string): Operand {
    const raw = this.reg('u32', `block_${axis}`)
    this.emit({ kind: 'builtin', dst: raw, name: `blockIdx.${axis}` })
    const value = this.reg('i32', name)
    this.emit({ kind: 'op', op: 'convert', dst: value, args: [raw] })
    return value
  }

  /** The loops' variables as digits of a block's index, the innermost fastest. */
  private blockDigits(list: readonly Loop[], index: Operand): void {
    let rest = index
    for (const l of [...list].reverse()) {
      const extent = l === list[0] ? undefined : this.index(extentOf(l))
      this.depthOf.set(l.name, 0)
      this.naturals.set(l.name, (constantExtent(l) ?? Infinity) - 1)
      this.top.memo.set(l.name, extent ? this.pure('rem', [rest, extent], 'i32', l.name) : rest)
      if (extent) rest = this.pure('div', [rest, extent], 'i32', 'block')
    }
  }

  /** Blocks in rows of an index of their own; what is left of the last row does nothing. */
  private inRows({ axes, total }: BlockGrid, f: () => void): void {
    const row = this.pure('mul', [this.blockIndex('y', 'block_row'), i32(blocksInRow)], 'i32', 'before')
    const index = this.pure('add', [row, this.blockIndex('x', 'block_in_row')], 'i32', 'block')
    this.blockDigits([...axes[2], ...axes[1], ...axes[0]], index)
    const condition = this.pure('lt', [index, this.index(total)], 'bool', 'own')
    this.emit({ kind: 'if', condition, then: this.inScope(f), else: [] })
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────

  private body(stmts: readonly LoopStmt[]): void {
    for (const s of stmts) {
      if (this.met?.before.has(s)) this.emit({ kind: 'barrier', scope: 'grid' })
      else if (this.before.has(s)) this.emit({ kind: 'barrier', scope: 'block' })
      if (hasThreads(s) || !writesMemory(s, this.arrays)) this.stmt(s)
      else this.byFirst(this.digits, () => this.stmt(s))
    }
  }

  private stmt(s: LoopStmt): void {
    switch (s.kind) {
      case 'declare':
        return
      case 'store':
        this.store(s)
        return
      case 'if':
        this.branch(
          s.condition,
          () => this.body(s.then),
          this.ends.has(s)
            ? () => this.emit({ kind: 'break' })
            : s.else.length > 0
              ? () => this.body(s.else)
              : undefined,
        )
        return
      case 'loop':
        this.loop(s)
    }
  }

  private loop(l: Loop): void {
    switch (l.bind.kind) {
      case 'block':
        fail('schedule.lower', `the block loop '${l.name}' is not at the top`)
        return
      case 'thread':
        this.threadLoops(l)
        return
      case 'unroll':
        this.unrolled(l)
        return
      case 'vector':
        this.vectorLoop(l)
        return
      case 'matrix':
        this.matrices.emit(l.bind.work)
        return
      case 'serial':
        this.serial(l)
    }
  }

  private readonly matrices = new Matrices({
    array: (name) => this.array(name),
    address: (a, index, lanes) => this.address(a, index, lanes),
    emit: (s) => this.emit(s),
    inScope: (f) => this.inLoop(f),
    reg: (type, name) => this.reg(type, name),
  })

  private unrolled(l: Loop): void {
    const extent = constantExtent(l),
      first = literal(l.lower)
    if (extent === undefined || first === undefined)
      return fail('schedule.lower', `'${l.name}' cannot be unrolled: its bounds are not constants`)
    for (let i = 0; i < extent; i++) {
      this.literals.set(l.name, first + i * l.step)
      this.body(l.body)
    }
    this.literals.delete(l.name)
  }

  /** Guards of all that a loop does, with which the loop ends. */
  private readonly ends = new Set<LoopStmt>()

  private serial(l: Loop): void {
    const guard = hasThreads(l) ? undefined : endOf(l)
    if (guard && !this.before.has(guard)) this.ends.add(guard)
    const upper = this.index(l.upper)
    const start = this.index(l.lower)
    const v = this.reg('i32', l.name)
    this.emit({ kind: 'op', op: 'copy', dst: v, args: [start] })
    const continuing: Stmt[] = [{ kind: 'op', op: 'add', dst: v, args: [v, i32(l.step)] }]
    const first = literal(l.lower)
    if (first !== undefined && first >= 0 && l.step > 0) this.naturals.set(l.name, (literal(l.upper) ?? Infinity) - 1)
    else this.naturals.delete(l.name)
    const body = this.inLoop(() => {
      this.depthOf.set(l.name, this.scopes.length - 1)
      this.depthOfReg[v.id] = this.scopes.length - 1
      this.top.memo.set(l.name, v)
      const more = this.reg('bool', 'more')
      this.emit({ kind: 'op', op: 'lt', dst: more, args: [v, upper] })
      this.emit({ kind: 'if', condition: more, then: [], else: [{ kind: 'break' }] })
      this.body(l.body)
    })
    this.depthOf.delete(l.name)
    this.naturals.delete(l.name)
    this.emit({ kind: 'loop', body, continuing, ...(l.at && { at: l.at }) })
  }

  private threadLoops(l: Loop): void {
    const digit = this.digit(l)
    const carried = carriedReduction(l),
      scan = carriedScan(l),
      maps = carriedComposition(l),
      choice = carriedChoice(l)
    this.digits.push(digit)
    const first = digit.extent === 1 ? literal(l.lower) : undefined
    if (first !== undefined) this.literals.set(l.name, first)
    if (carried) this.trees(l, carried)
    else if (scan) this.scans(l, scan)
    else if (maps) this.compositions(l, maps)
    else if (choice) this.choice(l, choice)
    else this.body(l.body)
    this.digits.pop()
    if (first !== undefined) this.literals.delete(l.name)
  }

  /** Defines the digit of the thread rank that the loop runs over. */
  private digit(l: Loop): ThreadDigit {
    if (l.bind.kind !== 'thread') throw new InternalError('schedule/lower', 'not a thread loop')
    mustCount(l)
    const extent =
      constantExtent(l) ?? fail('schedule.lower', `the extent of thread loop '${l.name}' is not a constant`)
    const { stride } = l.bind
    const key = `thread/${stride}%${extent}`
    const known = this.scopes[0]!.memo.get(key)
    const value = known ?? this.atTop(() => this.digitValue(stride, extent, l.name))
    this.scopes[0]!.memo.set(key, value)
    this.scopes[0]!.memo.set(l.name, value)
    this.depthOf.set(l.name, 0)
    this.naturals.set(l.name, extent - 1)
    return { stride, extent }
  }

  private digitValue(stride: number, extent: number, name: string): Operand {
    if (extent === 1) return i32(0)
    const rank = this.rank()
    const quotient = stride === 1 ? rank : this.pure('div', [rank, i32(stride)], 'i32', name)
    return stride * extent >= this.threads ? quotient : this.pure('rem', [quotient, i32(extent)], 'i32', name)
  }

  private rank(): Operand {
    const known = this.scopes[0]!.memo.get('thread')
    if (known) return known
    return this.atTop(() => {
      const raw = this.reg('u32', 'thread_rank')
      this.emit({ kind: 'builtin', dst: raw, name: 'threadRank' })
      const value = this.reg('i32', 'thread')
      this.emit({ kind: 'op', op: 'convert', dst: value, args: [raw] })
      this.top.memo.set('thread', value)
      return value
    })
  }

  /** Runs `emit` by the threads whose digits outside of `digits` are 0, when that is not all of them. */
  private byFirst(digits: readonly ThreadDigit[], emit: () => void): void {
    const conditions = this.alone ? [] : missingDigits(digits, this.threads).map((d) => this.digitIsZero(d))
    if (conditions.length === 0) return emit()
    const condition = conditions.reduce((a, b) => this.pure('land', [a, b], 'bool', 'first'))
    this.alone = true
    const then = this.inScope(emit)
    this.alone = false
    this.emit({ kind: 'if', condition, then, else: [] })
  }

  private digitIsZero(d: ThreadDigit): Operand {
    return this.atTop(() => {
      const covered = d.stride * d.extent >= this.threads
      if (covered) return this.pure('lt', [this.rank(), i32(d.stride)], 'bool', 'first')
      return this.pure('eq', [this.digitValue(d.stride, d.extent, 'digit'), i32(0)], 'bool', 'first')
    })
  }

  private branch(condition: Expr, then: () => void, otherwise?: () => void): void {
    const c = this.value(condition)
    if (c.kind === 'const') return Number(c.value) !== 0 ? then() : otherwise?.()
    this.emit({
      kind: 'if',
      condition: c,
      then: this.inScope(() => this.knowing(condition, then)),
      else: otherwise ? this.inScope(otherwise) : [],
    })
  }

  /** Runs `f` where `condition` holds: inside, its conjuncts on indices are not asked again. */
  private knowing(condition: Expr, f: () => void): void {
    const learnt = conjuncts(condition)
      .filter((c) => c.kind === 'op' && inequalityOf(c))
      .map((c) => this.value(c))
      .filter((o) => o.kind === 'reg' && !this.holding.has(o))
    learnt.forEach((o) => this.holding.add(o))
    f()
    learnt.forEach((o) => this.holding.delete(o))
  }

  // ── reductions across threads ─────────────────────────────────────────────────────────────────────────────────

  /** target = target ∘ (value of every thread along the digit); every thread of the group gets the result. */
  private trees(l: Loop, c: ThreadReduction): void {
    const items = this.rowsOf(c.rows, () => {
      const a = this.array(c.store.array)
      return {
        target: this.privateReg(a, c.store.index),
        op: c.store.reduce!,
        type: a.type,
        mine: this.value(c.store.value),
      } // it is a reduction
    })
    const { extent, stride } = this.powerOfTwo(l)
    const totals = emitTrees(this.host(l), items, extent, stride, this.options)
    items.forEach((i, n) => this.reduceInto(i.op, i.target, totals[n]!))
  }

  /** What `f` gives for every round of an unrolled loop, or once when there is none. */
  private rowsOf<T>(rows: Loop | undefined, f: () => T): readonly T[] {
    if (!rows) return [f()]
    const out = Array.from({ length: constantExtent(rows) ?? 0 }, (_, i) => {
      this.literals.set(rows.name, (literal(rows.lower) ?? 0) + i)
      return f()
    })
    this.literals.delete(rows.name)
    return out
  }

  /**
   * Every thread gets what the threads before it along the digit have, and the running value that after all of them.
   */
  private scans(l: Loop, c: CarriedScan): void {
    const items = this.rowsOf(c.rows, (): ScanItem => {
      const run = this.array(c.total.array),
        op = c.total.reduce! // it is a reduction
      const before = this.privateReg(this.array(c.before.array), c.before.index),
        into = this.privateReg(run, c.total.index),
        mine = this.value(c.total.value)
      return {
        types: [run.type],
        before: [before],
        run: [into],
        mine: [mine],
        identity: [literalConst(identityOf(op, mine.type))],
        join: ([a], [b]) => [this.combine(op, a!, b!)],
      } // of one number
    })
    emitScans(this.host(l, 1), items, constantExtent(l)!, this.options.warp !== undefined)
  }

  /** The same of maps: what each thread's map does after those of the threads before it. */
  private compositions(l: Loop, c: CarriedComposition): void {
    const items = this.rowsOf(c.rows, (): ScanItem => {
      const regs = (stores: readonly Store[]): readonly Reg[] =>
        stores.map((s) => this.privateReg(this.array(s.array), s.index))
      const keys = (stores: readonly Store[]): readonly string[] =>
        stores.map((s) => this.privateKey(this.array(s.array), s.index))
      const earlier = keys(c.next),
        later = keys(c.own),
        vary = varying(c.maps),
        whole = composed(
          c.maps,
          all(c.maps, vary, c.next.map(scalarStoredTo)),
          all(c.maps, vary, c.own.map(scalarStoredTo)),
        ),
        both = vary.map((n) => whole[n]!)
      const into = regs(c.run),
        mine = c.own.map((s) => this.value(s.value))
      const join = (a: readonly Operand[], b: readonly Operand[]): readonly Operand[] =>
        this.having([...earlier.map((k, n) => [k, a[n]!] as const), ...later.map((k, n) => [k, b[n]!] as const)], () =>
          both.map((e) => this.value(e)),
        )
      return {
        types: c.run.map((s) => this.array(s.array).type),
        before: regs(c.before),
        run: into,
        mine,
        identity: vary.map((n) => literalConst(identityMap(c.maps)[n]!)),
        join,
      }
    })
    emitScans(this.host(l, 1), items, constantExtent(l)!, this.options.warp !== undefined)
  }

  /** Runs `f` with other values in private scalars. */
  private having<T>(values: readonly (readonly [string, Operand])[], f: () => T): T {
    const before = values.map(([k]) => [k, this.privates.get(k)] as const)
    for (const [k, value] of values) this.privates.set(k, value.kind === 'reg' ? value : this.copied(value))
    const out = f()
    for (const [k, r] of before)
      if (r) this.privates.set(k, r)
      else this.privates.delete(k)
    return out
  }

  private copied(value: Operand): Reg {
    const r = this.reg(value.type, 'value')
    this.emit({ kind: 'op', op: 'copy', dst: r, args: [value] })
    return r
  }

  /** The best of what the threads along the digit have. */
  private choice(l: Loop, c: CarriedChoice): void {
    const keys = (
      side: (s: CarriedChoice['stores'][number]) => { readonly array: string; readonly index: readonly Expr[] },
    ): readonly string[] => c.stores.map((s) => this.privateKey(this.array(side(s).array), side(s).index))
    const targets = keys((s) => s),
      own = keys((s) => s.value)
    const items = c.stores.map(
      (s): ChoiceItem => ({
        type: this.array(s.array).type,
        target: this.privateReg(this.array(s.array), s.index),
        mine: this.privateReg(this.array(s.value.array), s.value.index),
      }),
    )
    emitChoice(this.host(l), items, this.powerOfTwo(l), (a, b) => {
      return this.having(
        [...targets.map((k, n) => [k, a[n]!] as const), ...own.map((k, n) => [k, b[n]!] as const)],
        () => this.value(c.condition),
      )
    })
  }

  /** The loop's digit; groups of threads are powers of two, but for all of a block. */
  private powerOfTwo(l: Loop): ThreadDigit {
    const extent = constantExtent(l)!,
      stride = l.bind.kind === 'thread' ? l.bind.stride : 1
    if (
      (extent & (extent - 1)) !== 0 &&
      !(extent === this.threads && extent % 32 === 0 && isTree(extent) && carriedReduction(l))
    )
      fail('schedule.lower', `what ${extent} threads do together needs a power of two of them`)
    return { extent, stride }
  }

  /** What trees, scans and choices across the threads of a loop need; `neighbours`: the only stride that will do. */
  private host(l: Loop, neighbours?: 1): ThreadEmitter {
    const { extent, stride } = this.powerOfTwo(l)
    if (neighbours && stride !== neighbours)
      fail('schedule.lower', `what the threads of '${l.name}' do together needs neighbours`)
    return {
      threads: this.threads,
      rank: this.rank(),
      digit: this.atTop(() => this.digitValue(stride, extent, 'digit')),
      inLoop: this.scopes.length > 1,
      emit: (s) => this.emit(s),
      reg: (type, name) => this.reg(type, name),
      pure: (op, args, type, name) => this.pure(op, args, type, name),
      combine: (op, a, b) => this.combine(op, a, b),
      inScope: (f) => this.inLoop(f),
      buffer: (type, count) => this.treeBuffer(type, count),
    }
  }

  private treeBuffer(type: MemoryType, count: number): string {
    const name = this.buffers++ === 0 ? 'tree' : `tree${this.buffers}`
    this.resources.set(name, { name, space: 'shared', type, count, access: 'read-write' })
    return name
  }

  // ── vectors ───────────────────────────────────────────────────────────────────────────────────────────────────

  private vectorLoop(l: Loop): void {
    const lanes = constantExtent(l)!
    const vector: VectorLoop = { name: l.name, lanes }
    const only = l.body.length === 1 ? l.body[0]! : undefined
    const guarded =
      only?.kind === 'if' && only.else.length === 0 && only.then.length === 1 && only.then[0]!.kind === 'store'
        ? only
        : undefined
    const s = guarded ? guarded.then[0]! : only
    if (s?.kind !== 'store' || (guarded && !this.sameForAllLanes(guarded.condition, vector))) return this.unrolled(l)
    const emit = (): void => this.vectorStore(s, vector)
    if (guarded) this.atLane(vector, 0, () => this.branch(guarded.condition, emit))
    else emit()
  }
}
