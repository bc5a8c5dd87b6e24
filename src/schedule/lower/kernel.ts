// In: a scheduled program of one kernel: block loops around phases. Out: a verified `Kernel` and its grid.
// The one idea: integer index code is kept as polynomials and each part is computed once, in the outermost scope where
// its variables exist; everything else is emitted where it stands. Thread loops become digits of the thread rank,
// private arrays registers, barriers stand where `hazards.ts` asks. It proves nothing about dependences: that is the
// primitives' business, and the result is run against the reference before anyone gets it.
import { fail, InternalError } from '../../base/index.ts'
import {
  bytesOf, constOf, endOf, isFloat, literal, registerType, verifyKernel,
  type ArrayDecl, type Expr, type Kernel, type Loop, type LoopStmt, type MemoryType, type OpName, type Operand, type Program,
  type ReduceOp, type Reg, type Resource, type ScalarType, type Stmt, type Store, type Verified,
} from '../../ir/index.ts'
import { inequalityOf } from '../inequality.ts'
import { conjuncts, constantExtent, eachStmt, exprKey, extentOf, readsArray, varsOf } from '../tree.ts'
import { barriersBefore } from './hazards.ts'
import { localArraysOf } from './local.ts'
import { bool, factors, i32, isLogical, lowerFirst, one, operandKey, reduceOps } from './operands.ts'
import { globalResource, storedGlobals, usedGlobals, usedParams } from './interface.ts'
import { blockThreads, hasThreads, missingDigits, paddedCount, writesMemory, type Digit } from './threads.ts'
import { carriedChoice, emitChoice, type CarriedChoice, type ChoiceItem } from './choice.ts'
import { carriedScan, emitScans, type CarriedScan, type Host, type ScanItem } from './scan.ts'
import { carriedReduction, emitTrees, type CarriedReduction } from './tree.ts'
import {
  compare, constantPart, divisible, polyAdd, polyConstant, polyKey, polyLiteral, polyMul, polyOf, sameInLanes, takeVar, type Atom, type Environment, type Poly,
} from './poly.ts'

export interface LowerOptions {
  /** Sizes that are known multiples of a number: the kernel is right only for such sizes. */
  readonly multiples?: Readonly<Record<string, number>>
  /** Lanes of a warp that reductions may shuffle across; absent: reductions go through workgroup memory only. */
  readonly warp?: 32
  /** Arrays whose loads stay where they stand (see `Resource.access`). */
  readonly held?: readonly string[]
}

export interface Lowered {
  readonly kernel: Verified<Kernel>
  /** Blocks on each axis, in terms of sizes. */
  readonly grid: readonly [Expr, Expr, Expr]
  /** Global arrays in the order of the kernel's resources. */
  readonly arrays: readonly string[]
}

/** Lowers one scheduled nest. `program.body` is block loops around phases. Throws a `DiagnosticError` when it is not of that form. */
export function lower(program: Program, name: string, options: LowerOptions = {}): Lowered {
  return new Lowering(program, name, options).run()
}

interface Scope {
  readonly stmts: Stmt[]
  /** Index values by key, and (under keys with a version) what was loaded since the memory last changed. */
  readonly memo: Map<string, Operand>
}

/** What the lanes of a vector loop are doing, while one is lowered. */
interface Vector { readonly name: string; readonly lanes: number }

class Lowering {
  private readonly registers: Reg[] = []
  private readonly scopes: Scope[] = [{ stmts: [], memo: new Map() }]
  private readonly depthOf = new Map<string, number>()
  private readonly literals = new Map<string, number>()
  private readonly arrays = new Map<string, ArrayDecl>()
  private readonly resources = new Map<string, Resource>()
  private readonly privates = new Map<string, Reg>()
  private readonly localArrays: ReadonlySet<string>
  private readonly threads: number
  private readonly shared = new Set<string>()
  private readonly env: Environment
  private before: ReadonlySet<LoopStmt> = new Set()
  private grid: [Expr, Expr, Expr] = [one, one, one]
  /** Digits of the thread rank that the loops around run over. */
  private readonly digits: Digit[] = []
  /** Inside of a statement that only the first threads run. */
  private alone = false
  private buffers = 0
  /** Rises whenever memory, or an integer register that may be an index, may have changed. */
  private version = 0
  /** Index values that depend on data get a new key each time: what they read may have changed in between. */
  private opaques = 0

  constructor(private readonly program: Program, private readonly name: string, private readonly options: LowerOptions) {
    this.env = { literalOf: (n) => this.literals.get(n), keyOf: (e) => (readsArray(e) ? `${exprKey(e)}#${this.opaques++}` : `${exprKey(e)}${this.literalsIn(e)}`) }
    for (const a of program.arrays) this.arrays.set(a.name, a)
    eachStmt(program.body, (s) => { if (s.kind === 'declare') this.declare(s.array) })
    this.threads = blockThreads(program)
    this.localArrays = localArraysOf(program, this.arrays)
    for (const name of this.localArrays) this.resources.set(name, { name, space: 'local', type: this.arrays.get(name)!.type, count: paddedCount(this.arrays.get(name)!), access: 'read-write' }) // just found there
  }

  run(): Lowered {
    let body = this.program.body
    for (let only = body[0]; body.length === 1 && only?.kind === 'loop' && only.bind.kind === 'block'; only = body[0]) {
      this.blockLoop(only)
      body = only.body
    }
    const alone = this.grid.every((e) => e === one)
    this.before = barriersBefore(body, alone ? new Set([...this.shared, ...storedGlobals(this.program)]) : this.shared)
    this.body(body)
    const used = usedGlobals(this.program)
    const kernel: Kernel = {
      name: this.name, block: [this.threads, 1, 1], params: usedParams(this.program, this.scopes[0]!.stmts), registers: this.registers, body: this.scopes[0]!.stmts,
      resources: [...used.map((a): Resource => globalResource(this.program, a, this.options.held?.includes(a.name))), ...this.resources.values()],
    }
    return { kernel: verifyKernel(kernel), grid: this.grid, arrays: used.map((a) => a.name) }
  }

  // ── declarations ──────────────────────────────────────────────────────────────────────────────────────────────

  private declare(a: ArrayDecl): void {
    this.arrays.set(a.name, a)
    if (a.space !== 'shared') return
    this.shared.add(a.name)
    this.resources.set(a.name, { name: a.name, space: 'shared', type: a.type, count: paddedCount(a), access: 'read-write' })
  }

  private blockLoop(l: Loop): void {
    if (l.bind.kind !== 'block') throw new InternalError('schedule/lower', 'not a block loop')
    const axis = l.bind.axis
    if (this.grid['xyz'.indexOf(axis)] !== one) fail('schedule.lower', `two loops are bound to blocks along ${axis}, '${l.name}' is the second`)
    this.grid['xyz'.indexOf(axis)] = extentOf(l)
    const raw = this.reg('u32', `block_${axis}`)
    this.emit({ kind: 'builtin', dst: raw, name: `blockIdx.${axis}` })
    const value = this.reg('i32', l.name)
    this.emit({ kind: 'op', op: 'convert', dst: value, args: [raw] })
    this.depthOf.set(l.name, 0)
    this.top.memo.set(l.name, value)
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────

  private body(stmts: readonly LoopStmt[]): void {
    for (const s of stmts) {
      if (this.before.has(s)) this.emit({ kind: 'barrier', scope: 'block' })
      if (hasThreads(s) || !writesMemory(s, this.arrays)) this.stmt(s)
      else this.byFirst(this.digits, () => this.stmt(s))
    }
  }

  private stmt(s: LoopStmt): void {
    switch (s.kind) {
      case 'declare': return
      case 'store': this.store(s); return
      case 'if': this.branch(s.condition, () => this.body(s.then), this.ends.has(s) ? () => this.emit({ kind: 'break' }) : s.else.length > 0 ? () => this.body(s.else) : undefined); return
      case 'loop': this.loop(s)
    }
  }

  private loop(l: Loop): void {
    switch (l.bind.kind) {
      case 'block': fail('schedule.lower', `the block loop '${l.name}' is not at the top`); return
      case 'thread': this.threadLoops(l); return
      case 'unroll': this.unrolled(l); return
      case 'vector': this.vectorLoop(l); return
      case 'serial': this.serial(l)
    }
  }

  private unrolled(l: Loop): void {
    const extent = constantExtent(l), first = literal(l.lower)
    if (extent === undefined || first === undefined) return fail('schedule.lower', `'${l.name}' cannot be unrolled: its bounds are not constants`)
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
    const body = this.inScope(() => {
      this.depthOf.set(l.name, this.scopes.length - 1)
      this.depthOfReg.set(v.id, this.scopes.length - 1)
      this.top.memo.set(l.name, v)
      const more = this.reg('bool', 'more')
      this.emit({ kind: 'op', op: 'lt', dst: more, args: [v, upper] })
      this.emit({ kind: 'if', condition: more, then: [], else: [{ kind: 'break' }] })
      this.body(l.body)
    })
    this.depthOf.delete(l.name)
    this.emit({ kind: 'loop', body, continuing, ...(l.at && { at: l.at }) })
  }

  private threadLoops(l: Loop): void {
    const digit = this.digit(l)
    const carried = carriedReduction(l), scan = carriedScan(l), choice = carriedChoice(l)
    this.digits.push(digit)
    if (carried) this.trees(l, carried)
    else if (scan) this.scans(l, scan)
    else if (choice) this.choice(l, choice)
    else this.body(l.body)
    this.digits.pop()
  }

  /** Defines the digit of the thread rank that the loop runs over. */
  private digit(l: Loop): Digit {
    if (l.bind.kind !== 'thread') throw new InternalError('schedule/lower', 'not a thread loop')
    const extent = constantExtent(l) ?? fail('schedule.lower', `the extent of thread loop '${l.name}' is not a constant`)
    const { stride } = l.bind
    const key = `thread/${stride}%${extent}`
    const known = this.scopes[0]!.memo.get(key)
    const value = known ?? this.atTop(() => this.digitValue(stride, extent, l.name))
    this.scopes[0]!.memo.set(key, value)
    this.scopes[0]!.memo.set(l.name, value)
    this.depthOf.set(l.name, 0)
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
  private byFirst(digits: readonly Digit[], emit: () => void): void {
    const conditions = this.alone ? [] : missingDigits(digits, this.threads).map((d) => this.digitIsZero(d))
    if (conditions.length === 0) return emit()
    const condition = conditions.reduce((a, b) => this.pure('land', [a, b], 'bool', 'first'))
    this.alone = true
    const then = this.inScope(emit)
    this.alone = false
    this.emit({ kind: 'if', condition, then, else: [] })
  }

  private digitIsZero(d: Digit): Operand {
    return this.atTop(() => {
      const covered = d.stride * d.extent >= this.threads
      if (covered) return this.pure('lt', [this.rank(), i32(d.stride)], 'bool', 'first')
      return this.pure('eq', [this.digitValue(d.stride, d.extent, 'digit'), i32(0)], 'bool', 'first')
    })
  }

  private branch(condition: Expr, then: () => void, otherwise?: () => void): void {
    const c = this.value(condition)
    if (c.kind === 'const') return Number(c.value) !== 0 ? then() : otherwise?.()
    this.emit({ kind: 'if', condition: c, then: this.inScope(() => this.knowing(condition, then)), else: otherwise ? this.inScope(otherwise) : [] })
  }

  /** Conditions on indices that hold where we are. */
  private readonly holding = new Set<Operand>()

  /** Runs `f` where `condition` holds: inside, its conjuncts on indices are not asked again. */
  private knowing(condition: Expr, f: () => void): void {
    const learnt = conjuncts(condition).filter((c) => c.kind === 'op' && inequalityOf(c)).map((c) => this.value(c)).filter((o) => o.kind === 'reg' && !this.holding.has(o))
    learnt.forEach((o) => this.holding.add(o))
    f()
    learnt.forEach((o) => this.holding.delete(o))
  }

  // ── stores ────────────────────────────────────────────────────────────────────────────────────────────────────

  private store(s: Store): void {
    const a = this.array(s.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return this.assign(s, a)
    const address = this.address(a, s.index)
    if (s.atomic) {
      if (s.reduce === null || s.reduce === 'mul' || isLogical(s.reduce)) fail('schedule.lower', `no atomic does ${s.reduce ?? 'a plain store'}`)
      return this.emit({ kind: 'atomic', op: s.reduce, dst: null, type: a.type, address, args: [this.value(s.value)], ...(s.at && { at: s.at }) })
    }
    const value = s.reduce ? this.combine(s.reduce, this.loadOne(a, address), this.value(s.value)) : this.value(s.value)
    this.emit({ kind: 'store', src: [this.asMemory(value, a.type)], type: a.type, address, ...(s.at && { at: s.at }) })
  }

  private assign(s: Store, a: ArrayDecl): void {
    const dst = this.privateReg(a, s.index)
    if (!isFloat(a.type)) this.version++
    if (!s.reduce) return this.emitValueInto(dst, s.value)
    const product = s.reduce === 'add' && a.type === 'f32' ? factors(s.value) : undefined
    if (product) {
      const [x, y] = [this.value(product[0]), this.value(product[1])]
      return this.emit({ kind: 'op', op: 'fma', dst, args: [x, y, dst], ...(s.at && { at: s.at }) })
    }
    this.reduceInto(s.reduce, dst, this.value(s.value), s.at)
  }

  private reduceInto(op: ReduceOp, dst: Reg, value: Operand, at?: Stmt['at']): void {
    if (isLogical(op) && dst.type !== 'bool') return this.emit({ kind: 'op', op: 'copy', dst, args: [this.combine(op, dst, value)], ...(at && { at }) })
    this.emit({ kind: 'op', op: reduceOps[op], dst, args: [dst, value], ...(at && { at }) })
  }

  private emitValueInto(dst: Reg, value: Expr): void {
    if (value.kind === 'read' && value.type === dst.type) {
      const a = this.array(value.array)
      const memory = a.space !== 'private' || this.localArrays.has(a.name)
      if (memory) return this.emit({ kind: 'load', dst: [dst], type: a.type, address: this.address(a, value.index), ...(value.at && { at: value.at }) })
    }
    if (value.kind === 'choose' && value.type === dst.type) return this.chooseInto(dst, value)
    const v = this.value(value)
    this.emit({ kind: 'op', op: 'copy', dst, args: [v.type === dst.type ? v : this.asMemory(v, dst.type as MemoryType)] }) // a bool is always a bool
  }

  private asMemory(value: Operand, type: MemoryType): Operand {
    const want = registerType(type)
    if (value.type === want) return value
    return this.local('convert', [value], want, 'value')
  }

  private combine(op: ReduceOp, a: Operand, b: Operand): Operand {
    if (!isLogical(op) || a.type === 'bool') return this.local(reduceOps[op], [a, b], a.type, 'sum')
    const [x, y] = [a, b].map((v) => this.local('ne', [v, constOf(v.type, v.type === 'i64' || v.type === 'u64' ? 0n : 0)], 'bool', 'truth'))
    return this.local('convert', [this.local(op, [x!, y!], 'bool', 'truth')], a.type, 'sum') // two in, two out
  }

  private privateKey(a: ArrayDecl, index: readonly Expr[]): string {
    return `${a.name}_${index.flatMap((e) => polyLiteral(polyOf(e, this.env)) ?? []).join('_')}`
  }

  private privateReg(a: ArrayDecl, index: readonly Expr[]): Reg {
    const key = this.privateKey(a, index)
    const known = this.privates.get(key)
    if (known) return known
    const made = this.reg(registerType(a.type), key === `${a.name}_` ? a.name : key)
    this.privates.set(key, made)
    return made
  }

  // ── reductions across threads ─────────────────────────────────────────────────────────────────────────────────

  /** target = target ∘ (value of every thread along the digit); every thread of the group gets the result. */
  private trees(l: Loop, c: CarriedReduction): void {
    const items = this.rowsOf(c.rows, () => {
      const a = this.array(c.store.array)
      return { target: this.privateReg(a, c.store.index), op: c.store.reduce!, type: a.type, mine: this.value(c.store.value) } // it is a reduction
    })
    const { extent, stride } = this.powerOfTwo(l)
    const totals = emitTrees(this.host(l), items, extent, stride, this.options.warp !== undefined)
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

  /** Every thread gets what the threads before it along the digit have, and the running value that after all of them. */
  private scans(l: Loop, c: CarriedScan): void {
    const items = this.rowsOf(c.rows, (): ScanItem => {
      const run = this.array(c.total.array)
      return { op: c.total.reduce!, type: run.type, before: this.privateReg(this.array(c.before.array), c.before.index), run: this.privateReg(run, c.total.index), mine: this.value(c.total.value) }
    })
    emitScans(this.host(l, 1), items, constantExtent(l)!, this.options.warp !== undefined)
  }

  /** The best of what the threads along the digit have. */
  private choice(l: Loop, c: CarriedChoice): void {
    const keys = (side: (s: CarriedChoice['stores'][number]) => { readonly array: string; readonly index: readonly Expr[] }): readonly string[] =>
      c.stores.map((s) => this.privateKey(this.array(side(s).array), side(s).index))
    const targets = keys((s) => s), own = keys((s) => s.value)
    const items = c.stores.map((s): ChoiceItem => ({
      type: this.array(s.array).type, target: this.privateReg(this.array(s.array), s.index), mine: this.privateReg(this.array(s.value.array), s.value.index) }))
    emitChoice(this.host(l, 1), items, constantExtent(l)!, (a, b) => {
      const before = [...targets, ...own].map((k) => [k, this.privates.get(k)!] as const) // made above
      ;[...targets.map((k, n) => [k, a[n]!] as const), ...own.map((k, n) => [k, b[n]!] as const)].forEach(([k, r]) => this.privates.set(k, r))
      const condition = this.value(c.condition)
      before.forEach(([k, r]) => this.privates.set(k, r))
      return condition
    })
  }

  private powerOfTwo(l: Loop): Digit {
    const extent = constantExtent(l)!, stride = l.bind.kind === 'thread' ? l.bind.stride : 1
    if ((extent & (extent - 1)) !== 0) fail('schedule.lower', `what ${extent} threads do together needs a power of two of them`)
    return { extent, stride }
  }

  /** What trees, scans and choices across the threads of a loop need; `neighbours`: the only stride that will do. */
  private host(l: Loop, neighbours?: 1): Host {
    const { extent, stride } = this.powerOfTwo(l)
    if (neighbours && stride !== neighbours) fail('schedule.lower', `what the threads of '${l.name}' do together needs neighbours`)
    return {
      threads: this.threads, rank: this.rank(), digit: this.atTop(() => this.digitValue(stride, extent, 'digit')), inLoop: this.scopes.length > 1,
      emit: (s) => this.emit(s), reg: (type, name) => this.reg(type, name), pure: (op, args, type, name) => this.pure(op, args, type, name),
      combine: (op, a, b) => this.combine(op, a, b), inScope: (f) => this.inScope(f), buffer: (type, count) => this.treeBuffer(type, count),
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
    const vector: Vector = { name: l.name, lanes }
    const only = l.body.length === 1 ? l.body[0]! : undefined
    const guarded = only?.kind === 'if' && only.else.length === 0 && only.then.length === 1 && only.then[0]!.kind === 'store' ? only : undefined
    const s = guarded ? guarded.then[0]! : only
    if (s?.kind !== 'store' || (guarded && !this.sameForAllLanes(guarded.condition, vector))) return this.unrolled(l)
    const emit = (): void => this.vectorStore(s, vector)
    if (guarded) this.atLane(vector, 0, () => this.branch(guarded.condition, emit))
    else emit()
  }

  private atLane<T>(v: Vector, lane: number, f: () => T): T {
    const old = this.literals.get(v.name)
    this.literals.set(v.name, lane)
    const out = f()
    if (old === undefined) this.literals.delete(v.name)
    else this.literals.set(v.name, old)
    return out
  }

  private vectorStore(s: Store, v: Vector): void {
    const a = this.array(s.array)
    const isReg = a.space === 'private' && !this.localArrays.has(a.name)
    if (s.reduce) return isReg ? this.reduceLanes(s, a, v) : this.perLane(v, () => this.store(s))
    if (isReg && this.loadLanesInto(s, a, v)) return
    const values = this.lanesOf(s.value, v)
    if (!isReg && !this.contiguous(a, s.index, v)) return values.forEach((x, lane) => this.atLane(v, lane, () => this.emit({ kind: 'store', src: [this.asMemory(x, a.type)], type: a.type, address: this.address(a, s.index), ...(s.at && { at: s.at }) })))
    if (isReg) return values.forEach((x, lane) => this.atLane(v, lane, () => this.emit({ kind: 'op', op: 'copy', dst: this.privateReg(a, s.index), args: [this.asMemory(x, a.type)] })))
    const address = this.atLane(v, 0, () => this.address(a, s.index, v.lanes))
    this.emit({ kind: 'store', src: values.map((x) => this.asMemory(x, a.type)), type: a.type, address, ...(s.at && { at: s.at }) })
  }

  /** register ∘= value for every lane: what is contiguous is loaded as a vector first. */
  private reduceLanes(s: Store, a: ArrayDecl, v: Vector): void {
    const product = s.reduce === 'add' && a.type === 'f32' ? factors(s.value) : undefined
    const sides = (product ?? [s.value]).map((e) => this.lanesOf(e, v))
    for (let lane = 0; lane < v.lanes; lane++) this.atLane(v, lane, () => {
      const dst = this.privateReg(a, s.index)
      const [x, y] = sides.map((side) => side[lane]!)
      if (x && y) this.emit({ kind: 'op', op: 'fma', dst, args: [x, y, dst], ...(s.at && { at: s.at }) })
      else if (x) this.reduceInto(s.reduce!, dst, this.asMemory(x, a.type), s.at)
    })
  }

  /** Loads a read, or a guarded read, straight into the private registers of the store; false when it is something else. */
  private loadLanesInto(s: Store, a: ArrayDecl, v: Vector): boolean {
    const from = s.value.kind === 'choose' ? s.value.then : s.value
    if (from.kind !== 'read' || from.type !== registerType(a.type)) return false
    const into = Array.from({ length: v.lanes }, (_, lane) => this.atLane(v, lane, () => this.privateReg(a, s.index)))
    const done = s.value.kind === 'choose' ? this.lanesOfChoose(s.value, v, into) : this.lanesOfRead(from, v, into)
    return done !== undefined
  }

  private perLane(v: Vector, f: () => void): void {
    for (let lane = 0; lane < v.lanes; lane++) this.atLane(v, lane, f)
  }

  /** Whether consecutive lanes touch consecutive elements, from an element that is a multiple of the width. */
  private contiguous(a: ArrayDecl, index: readonly Expr[], v: Vector): boolean {
    const flat = this.withoutLiteral(v, () => this.flat(a, index))
    const { rest, coefficient } = takeVar(flat, v.name)
    return coefficient === 1 && divisible(rest, v.lanes, (n) => this.multipleOf(n))
  }

  private withoutLiteral<T>(v: Vector, f: () => T): T {
    const old = this.literals.get(v.name)
    this.literals.delete(v.name)
    const out = f()
    if (old !== undefined) this.literals.set(v.name, old)
    return out
  }

  private multipleOf(size: string): number {
    return this.options.multiples?.[size] ?? 1
  }

  /** The value of `e` in each lane. */
  private lanesOf(e: Expr, v: Vector): readonly Operand[] {
    const each = (f: () => Operand): readonly Operand[] => Array.from({ length: v.lanes }, (_, lane) => this.atLane(v, lane, f))
    switch (e.kind) {
      case 'const': case 'size': case 'scalar': case 'var': return each(() => this.value(e))
      case 'read': return this.lanesOfRead(e, v) ?? each(() => this.value(e))
      case 'op': {
        if (e.type === 'i32' || e.args.some((x) => x.type === 'i32')) return each(() => this.value(e))
        const args = e.args.map((x) => this.lanesOf(x, v))
        return Array.from({ length: v.lanes }, (_, lane) => this.local(e.op, args.map((x) => x[lane]!), e.type, 'v'))
      }
      case 'choose': return this.lanesOfChoose(e, v) ?? each(() => this.value(e))
    }
  }

  private lanesOfRead(e: Extract<Expr, { kind: 'read' }>, v: Vector, into?: readonly Reg[]): readonly Operand[] | undefined {
    const a = this.array(e.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return undefined
    if (!this.contiguous(a, e.index, v)) return undefined
    const address = this.atLane(v, 0, () => this.address(a, e.index, v.lanes))
    const dst = into ?? Array.from({ length: v.lanes }, (_, i) => this.reg(e.type, `${lowerFirst(a.name)}_${i}`))
    this.emit({ kind: 'load', dst, type: a.type, address, ...(e.at && { at: e.at }) })
    return dst
  }

  private lanesOfChoose(e: Extract<Expr, { kind: 'choose' }>, v: Vector, into?: readonly Reg[]): readonly Operand[] | undefined {
    if (e.then.kind !== 'read' || e.else.kind !== 'const' || !this.sameForAllLanes(e.condition, v)) return undefined
    const read = e.then, otherwise = e.else
    const a = this.array(read.array)
    if (a.space === 'private' || !this.contiguous(a, read.index, v)) return undefined
    const condition = this.atLane(v, 0, () => this.value(e.condition))
    if (condition.kind === 'const' && Number(condition.value) !== 0) return this.lanesOfRead(read, v, into)
    const dst = into ?? Array.from({ length: v.lanes }, (_, i) => this.reg(e.type, `${lowerFirst(a.name)}_${i}`))
    dst.forEach((d) => this.emit({ kind: 'op', op: 'copy', dst: d, args: [constOf(otherwise.type, otherwise.value)] }))
    const then = this.inScope(() => { this.lanesOfRead(read, v, dst) })
    this.emit({ kind: 'if', condition, then, else: [] })
    return dst
  }

  private sameForAllLanes(condition: Expr, v: Vector): boolean {
    return this.withoutLiteral(v, () => sameInLanes(condition, v.name, v.lanes, this.env, (n) => this.multipleOf(n)))
  }

  // ── values ────────────────────────────────────────────────────────────────────────────────────────────────────

  private value(e: Expr): Operand {
    switch (e.kind) {
      case 'const': return constOf(e.type, e.value)
      case 'var': case 'size': return this.index(e)
      case 'scalar': return { kind: 'param', name: e.name, type: e.type }
      case 'read': return this.readValue(e)
      case 'op': return e.type === 'i32' && !readsArray(e) ? this.index(e) : this.opValue(e)
      case 'choose': return this.chooseValue(e)
    }
  }

  private readValue(e: Extract<Expr, { kind: 'read' }>): Operand {
    const a = this.array(e.array)
    if (a.space === 'private' && !this.localArrays.has(a.name)) return this.privateReg(a, e.index)
    return this.loadOne(a, this.address(a, e.index), e.at)
  }

  private opValue(e: Extract<Expr, { kind: 'op' }>): Operand {
    if (e.type === 'bool' && inequalityOf(e)) return this.comparison(e)
    const args = e.args.map((a) => this.value(a))
    if (e.type === 'bool' && e.op === 'land' && args.every((a) => this.isIndexValue(a))) return this.foldLand(args)
    return this.local(e.op, args, e.type, e.op)
  }

  private foldLand(args: readonly Operand[]): Operand {
    const open = args.filter((a) => a.kind !== 'const')
    if (args.some((a) => a.kind === 'const' && Number(a.value) === 0)) return bool(false)
    if (open.length === 0) return bool(true)
    return open.length === 1 ? open[0]! : this.pure('land', open, 'bool', 'inside')
  }

  private comparison(e: Extract<Expr, { kind: 'op' }>): Operand {
    const [a, b] = e.args.map((x) => polyOf(x, this.env))
    const difference = polyLiteral(polyAdd(a!, b!, -1))
    if (difference !== undefined) return bool(compare(e.op, difference))
    const asked = this.pure(e.op, [this.polyValue(a!), this.polyValue(b!)], 'bool', 'inside')
    return this.holding.has(asked) ? bool(true) : asked
  }

  private readonly hoisted = new Set<Operand>()
  private isIndexValue(o: Operand): boolean {
    return o.kind === 'const' || o.kind === 'param' || this.hoisted.has(o)
  }

  private chooseValue(e: Extract<Expr, { kind: 'choose' }>): Operand {
    const condition = this.value(e.condition)
    if (condition.kind === 'const') return this.value(Number(condition.value) !== 0 ? e.then : e.else)
    const dst = this.reg(e.type, 'v')
    this.chooseInto(dst, e)
    return dst
  }

  /** `dst` must not be read by `e`'s sides after it is set to the other. */
  private chooseInto(dst: Reg, e: Extract<Expr, { kind: 'choose' }>): void {
    const condition = this.value(e.condition)
    if (condition.kind === 'const') return this.emitValueInto(dst, Number(condition.value) !== 0 ? e.then : e.else)
    const set = (x: Expr): Stmt[] => this.inScope(() => this.emitValueInto(dst, x))
    if (e.else.kind === 'const' && e.then.kind === 'read' && this.array(e.then.array).space !== 'private') {
      this.emitValueInto(dst, e.else)
      this.emit({ kind: 'if', condition, then: set(e.then), else: [] })
    } else this.emit({ kind: 'if', condition, then: set(e.then), else: set(e.else) })
  }

  private loadOne(a: ArrayDecl, address: Extract<Stmt, { kind: 'load' }>['address'], at?: Stmt['at']): Operand {
    return this.loadAt(a.type, address, lowerFirst(a.name), at)
  }

  /** Loads one element, or gives what the same scope loaded from there since the memory last changed. */
  private loadAt(type: MemoryType, address: Extract<Stmt, { kind: 'load' }>['address'], name = 'x', at?: Stmt['at']): Operand {
    const key = `load ${address.resource} ${operandKey(address.index)} ${address.offset} ${this.version}`
    const known = this.top.memo.get(key)
    if (known) return known
    const dst = this.reg(registerType(type), name)
    this.emit({ kind: 'load', dst: [dst], type, address, ...(at && { at }) })
    this.top.memo.set(key, dst)
    return dst
  }

  // ── index arithmetic ──────────────────────────────────────────────────────────────────────────────────────────

  private index(e: Expr): Operand {
    return this.polyValue(polyOf(e, this.env))
  }

  private flat(a: ArrayDecl, index: readonly Expr[]): Poly {
    let p: Poly = polyConstant(0)
    const last = a.shape.length - 1
    index.forEach((e, d) => {
      let extent = polyOf(a.shape[d]!, this.env)
      if (d === last && a.pad) extent = polyAdd(extent, polyConstant(a.pad))
      p = polyAdd(polyMul(p, extent), polyOf(e, this.env))
    })
    return p
  }

  /** `lanes`: elements accessed at once; the index then counts vectors where its parts divide. */
  private address(a: ArrayDecl, index: readonly Expr[], lanes = 1): Extract<Stmt, { kind: 'load' }>['address'] {
    const flat = this.flat(a, index)
    const stride = bytesOf[a.type]
    const offset = constantPart(flat)
    const keep = a.space === 'global' && lanes === 1 ? 0 : offset
    const rest = polyAdd(flat, polyConstant(keep), -1)
    const whole = lanes > 1 && [...rest.values()].every((m) => m.coefficient % lanes === 0)
    const scaled: Poly = whole ? new Map([...rest].map(([k, m]) => [k, { ...m, coefficient: m.coefficient / lanes }])) : rest
    return { resource: a.name, index: this.polyValue(scaled), stride: whole ? stride * lanes : stride, offset: keep * stride }
  }

  /** The value of a polynomial: its parts summed from the outermost scope inwards, each part once per scope. */
  private polyValue(p: Poly): Operand {
    const constant = constantPart(p)
    const byDepth = new Map<number, [string, Poly][]>()
    for (const [k, m] of p) {
      if (k === '') continue
      const depth = Math.max(0, ...m.atoms.map((a) => this.atomDepth(a)))
      byDepth.set(depth, [...(byDepth.get(depth) ?? []), [k, new Map([[k, m]])]])
    }
    let sum: Operand | undefined, soFar: Poly = new Map()
    for (const depth of [...byDepth.keys()].sort((a, b) => a - b)) {
      for (const [, part] of byDepth.get(depth)!.sort(([a], [b]) => (a < b ? -1 : 1))) {
        const value = this.at(depth, () => this.monomial(part))
        soFar = polyAdd(soFar, part)
        const previous = sum
        sum = this.memoised(depth, `Σ${polyKey(soFar)}`, () => (previous ? this.addOrSub(previous, part, value) : this.signed(part, value)))
      }
    }
    if (!sum) return i32(constant)
    if (constant === 0) return sum
    const base = sum
    const depth = Math.max(0, ...byDepth.keys())
    return this.memoised(depth, `Σ${polyKey(p)}`, () => (constant > 0 ? this.rawOp('add', [base, i32(constant)], 'i32', 'index') : this.rawOp('sub', [base, i32(-constant)], 'i32', 'index')))
  }

  private signed(part: Poly, value: Operand): Operand {
    return [...part.values()][0]!.coefficient < 0 ? this.rawOp('neg', [value], 'i32', 'negative') : value
  }

  private addOrSub(sum: Operand, part: Poly, value: Operand): Operand {
    const m = [...part.values()][0]!
    return m.coefficient < 0 ? this.rawOp('sub', [sum, value], 'i32', 'index') : this.rawOp('add', [sum, value], 'i32', 'index')
  }

  /** |coefficient| × atoms; the sign is the caller's. */
  private monomial(part: Poly): Operand {
    const m = [...part.values()][0]!
    let value = this.atom(m.atoms[0]!)
    for (const a of m.atoms.slice(1)) value = this.pure('mul', [value, this.atom(a)], 'i32', 'row')
    const c = Math.abs(m.coefficient)
    return c === 1 ? value : this.pure('mul', [value, i32(c)], 'i32', 'scaled')
  }

  private atom(a: Atom): Operand {
    switch (a.kind) {
      case 'size': return { kind: 'param', name: a.name, type: 'i32' }
      case 'var': return this.variable(a.name)
      case 'quotient': return this.pure('div', [this.polyValue(a.of), i32(a.by)], 'i32', 'quotient')
      case 'remainder': return this.pure('rem', [this.polyValue(a.of), i32(a.by)], 'i32', 'remainder')
      case 'min': case 'max': return this.pure(a.kind, [this.polyValue(a.a), this.polyValue(a.b)], 'i32', a.kind)
      case 'opaque': return this.opaque(a.expr)
    }
  }

  /** What unrolled loops and lanes are in `e`: the same text has another value in each. */
  private literalsIn(e: Expr): string {
    return [...varsOf(e)].flatMap((n) => (this.literals.has(n) ? [` ${n}=${this.literals.get(n)}`] : [])).join('')
  }

  private opaque(e: Expr): Operand {
    if (e.kind === 'op') return this.local(e.op, e.args.map((x) => this.value(x)), e.type, e.op)
    return this.value(e)
  }

  private variable(name: string): Operand {
    const depth = this.depthOf.get(name)
    const value = depth === undefined ? undefined : this.scopes[depth]?.memo.get(name)
    return value ?? fail('schedule.lower', `the loop variable '${name}' is not in scope`)
  }

  private atomDepth(a: Atom): number {
    const deepest = (p: Poly): number => Math.max(0, ...[...p.values()].flatMap((m) => m.atoms.map((x) => this.atomDepth(x))))
    switch (a.kind) {
      case 'size': return 0
      case 'var': return this.depthOf.get(a.name) ?? this.scopes.length - 1
      case 'quotient': case 'remainder': return deepest(a.of)
      case 'min': case 'max': return Math.max(deepest(a.a), deepest(a.b))
      case 'opaque': return this.scopes.length - 1
    }
  }

  // ── emission ──────────────────────────────────────────────────────────────────────────────────────────────────

  private get top(): Scope { return this.scopes[this.scopes.length - 1]! }

  private emit(s: Stmt): void {
    if (s.kind === 'store' || s.kind === 'atomic' || s.kind === 'barrier') this.version++
    this.top.stmts.push(s)
  }

  private inScope(f: () => void): Stmt[] {
    const scope: Scope = { stmts: [], memo: new Map() }
    this.scopes.push(scope)
    f()
    this.scopes.pop()
    return scope.stmts
  }

  /** Runs `f` so that what it emits lands in the scope at `depth`. */
  private at<T>(depth: number, f: () => T): T {
    const inner = this.scopes.splice(depth + 1)
    const out = f()
    this.scopes.push(...inner)
    return out
  }

  private atTop<T>(f: () => T): T { return this.at(0, f) }

  private memoised(depth: number, key: string, f: () => Operand): Operand {
    for (let d = 0; d <= depth; d++) {
      const known = this.scopes[d]?.memo.get(key)
      if (known) return known
    }
    return this.at(depth, () => {
      const value = f()
      this.top.memo.set(key, value)
      this.hoisted.add(value)
      return value
    })
  }

  /** A pure operation on index values, computed once in the outermost scope that has its arguments. */
  private pure(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Operand {
    const key = `${op}(${args.map(operandKey).join(',')})`
    const depth = Math.max(0, ...args.map((a) => this.operandDepth(a)))
    return this.memoised(depth, key, () => this.rawOp(op, args, type, name))
  }

  private readonly depthOfReg = new Map<number, number>()
  private operandDepth(o: Operand): number {
    return o.kind === 'reg' ? this.depthOfReg.get(o.id) ?? this.scopes.length - 1 : 0
  }

  private rawOp(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Reg {
    const dst = this.reg(type, name)
    this.depthOfReg.set(dst.id, this.scopes.length - 1)
    this.emit({ kind: 'op', op, dst, args })
    return dst
  }

  /** An operation where it stands. */
  private local(op: OpName, args: readonly Operand[], type: ScalarType, name: string): Operand {
    const dst = this.reg(type, name)
    this.emit({ kind: 'op', op, dst, args })
    return dst
  }

  private reg(type: ScalarType, name: string): Reg {
    const r: Reg = { kind: 'reg', id: this.registers.length, type, name }
    this.registers.push(r)
    this.depthOfReg.set(r.id, this.scopes.length - 1)
    return r
  }

  private array(name: string): ArrayDecl {
    return this.arrays.get(name) ?? fail('schedule.lower', `there is no array '${name}'`)
  }
}
