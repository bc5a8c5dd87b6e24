// In: a kernel. Out: a WebAssembly module whose `run` executes one block. The one idea: control flow that holds block
// barriers is executed for the whole block, one step for every warp in turn, with each warp's active lanes parked in
// its frame; everything between is a region function per warp. So warps meet at barriers without being suspended, and a
// barrier that not all lanes reach is seen, reported and passed. Control flow that holds barriers of the grid is
// executed so for all blocks of a run, each of which has frames and arrays of its own and takes its turn between two of
// them.
import {
  listsOf,
  meetsGrid,
  orderedSpaces,
  type Kernel,
  type Operand,
  type Stmt,
  facts,
  type Facts,
} from '../../ir/index.ts'
import { mem, opcode as o, WasmModule, type Func } from '../wasm.ts'
import { openBlock, pushBitsOf } from './region.ts'
import { charge, iterationCost, hasJump, regionFunction, type JitLoop } from './control.ts'
import type { AddressSlice, Decision } from '../classes/decisions.ts'
import type { JitContext, CountedBlock } from './context.ts'
import { instanceBytes, at, countUses, crossing, frame, hasBarrier, layOut, measure, type Layout } from './layout.ts'
import { importMath } from './scalar.ts'
import { readCounts } from './steady-indices.ts'

/** Bytes that uninitialised shared and local memory holds, so that reading it is visible. */
export const poisonByte = 0xa5

export interface CompiledModule {
  readonly layout: Layout
  readonly blocks: readonly CountedBlock[]
  readonly siteOf: ReadonlyMap<Stmt, number>
  readonly branchOf: ReadonlyMap<Stmt, number>
  readonly statements: readonly Stmt[]
  /** Whether the host must look at requests and barriers. */
  readonly observing: boolean
  /** Decisions whose margins the module keeps. */
  readonly decisions: ReadonlyMap<Stmt, Decision> | null
  /** What the module computes; null: everything. */
  readonly slice: AddressSlice | null
}

/** What all modules of a kernel begin with. */
interface Analysis extends ReturnType<typeof numbering> {
  readonly facts: Facts
  readonly uses: readonly number[]
  readonly crossing: ReadonlySet<number>
}

/** By kernel and warp size: a kernel has up to four modules, for estimates, traces and proofs. */
const analyses = new WeakMap<Kernel, Map<number, Analysis>>()

function analysisOf(kernel: Kernel, warpSize: number): Analysis {
  const known = analyses.get(kernel) ?? new Map<number, Analysis>(),
    found = known.get(warpSize) ?? {
      ...numbering(kernel),
      facts: facts(kernel, warpSize),
      uses: countUses(kernel),
      crossing: crossing(kernel),
    }
  analyses.set(kernel, known)
  known.set(warpSize, found)
  return found
}

/** Numbers of memory statements, branches and all statements, in program order. */
function numbering(kernel: Kernel): {
  readonly siteOf: ReadonlyMap<Stmt, number>
  readonly branchOf: ReadonlyMap<Stmt, number>
  readonly statements: readonly Stmt[]
  readonly statementOf: ReadonlyMap<Stmt, number>
} {
  const [siteOf, branchOf, statements] = [new Map<Stmt, number>(), new Map<Stmt, number>(), [] as Stmt[]]
  const visit = (list: readonly Stmt[]): void => {
    for (const s of list) {
      statements.push(s)
      if (s.kind === 'load' || s.kind === 'store' || s.kind === 'atomic') siteOf.set(s, siteOf.size)
      if (s.kind === 'if') branchOf.set(s, branchOf.size)
      for (const inner of listsOf(s)) visit(inner)
    }
  }
  visit(kernel.body)
  return { siteOf, branchOf, statements, statementOf: new Map(statements.map((s, i) => [s, i])) }
}

/**
 * Compiles `kernel` for warps of `warpSize` lanes (at most 32 are simulated as one warp). The bytes are a module's,
 * which needs them only while it is made. `decisions`: whose margins to keep, so that blocks can be told apart.
 * `slice`: compute that alone, where nobody wants what the kernel writes.
 */
export function compileModule(
  kernel: Kernel,
  warpSize: number,
  observing: boolean,
  maxBytes: number,
  decisions: ReadonlyMap<Stmt, Decision> | null = null,
  slice: AddressSlice | null = null,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly compiled: CompiledModule } {
  const { facts: known, uses, crossing: across, ...numbers } = analysisOf(kernel, warpSize),
    { siteOf, branchOf, statements } = numbers
  const layout = layOut(kernel, known, across, warpSize, measure(kernel, decisions?.size ?? 0), maxBytes)
  const module = new WasmModule()
  const math = importMath(module)
  const imports = {
    resolve: module.import('resolve', ['i32', 'i32', 'i32', 'i32'], ['i32']),
    observe: module.import('observe', ['i32', 'i32', 'i32', 'i32'], []),
    shuffled: module.import('shuffled', ['i32', 'i32'], []),
    diverged: module.import('diverged', ['i32', 'i32', 'i32', 'i32'], []),
    returned: module.import('returned', ['i32', 'i32', 'i32'], []),
    passed: module.import('passed', ['i32'], []),
    turn: module.import('turn', ['i32', 'i32'], []),
    exhausted: module.import('exhausted', [], []),
  }
  const c: JitContext = {
    kernel,
    facts: known,
    uses,
    reads: readCounts({ kernel, slice }),
    layout,
    module,
    math,
    imports,
    warpSize,
    observing,
    decisions,
    slice,
    siteOf,
    branchOf,
    statementOf: numbers.statementOf,
    helpers: new Map(),
    blocks: [],
    fuel: module.global('fuel'),
  }
  const f = module.func([], [], 'run')
  const own = { c, f, fp: f.local('i32'), mask: f.local('i32'), any: f.local('i32') }
  const d: Driver = {
    ...own,
    turns: meetsGrid(kernel) ? { number: f.local('i32'), shift: f.local('i32') } : null,
    forAll: meetsGrid(kernel),
    slots: 0,
  }
  inTurn(d, () => prepare(d))
  emitBlockList(d, kernel.body, null, false)
  return {
    bytes: module.encode(),
    compiled: { layout, blocks: c.blocks, siteOf, branchOf, statements, observing, decisions, slice },
  }
}

interface Driver {
  readonly c: JitContext
  readonly f: Func
  readonly fp: number
  readonly mask: number
  readonly any: number
  /** Where blocks meet: which block of the run has its turn, and how far from the layout's places its own are. */
  readonly turns: { readonly number: number; readonly shift: number } | null
  /** What is emitted runs for all blocks at once, not for the one that has its turn. */
  forAll: boolean
  slots: number
}

const slot = (d: Driver): number => frame.slots + 4 * d.slots++

/** Runs `body` for every block of the run, one after the other. `works`: it does what the block is there for. */
function eachTurn(d: Driver, works: boolean, body: () => void): void {
  const { c, f, turns } = d
  if (!turns) return body()
  f.i32(0).set(turns.number).i32(0).mem(mem.i32_load, at.firstShift).set(turns.shift)
  const again = f.loop()
  charge(c, f, 1)
  f.get(turns.number)
    .i32(works ? 1 : 0)
    .call(c.imports.turn)
  d.forAll = false
  body()
  d.forAll = true
  f.get(turns.shift).i32(0).mem(mem.i32_load, at.turnBytes).op(o.i32_add).set(turns.shift)
  f.get(turns.number)
    .i32(1)
    .op(o.i32_add)
    .tee(turns.number)
    .i32(0)
    .mem(mem.i32_load, at.turns)
    .op(o.i32_lt_u)
    .brIf(again)
  f.end()
}

/** `body` for the block that has its turn; for every block where that is not decided. */
const inTurn = (d: Driver, body: () => void): void => (d.forAll ? eachTurn(d, true, body) : body())

/** Pushes an address of the layout where the block has it. */
function pushOwn({ f, turns }: Driver, address: number): void {
  f.i32(address)
  if (turns) f.get(turns.shift).op(o.i32_add)
}

/** Runs `body` for every warp, with `fp` at its frame and `mask` its active lanes. */
function eachWarp(d: Driver, body: () => void): void {
  if (d.forAll) return eachTurn(d, false, () => eachWarp(d, body))
  const { c, f, fp, mask } = d
  pushOwn(d, c.layout.frames)
  f.set(fp)
  const again = f.loop()
  f.get(fp).mem(mem.i32_load, frame.mask).set(mask)
  body()
  f.get(fp).i32(c.layout.frameBytes).op(o.i32_add).tee(fp)
  pushOwn(d, c.layout.frames + c.layout.frameBytes * c.layout.warps)
  f.op(o.i32_lt_u).brIf(again)
  f.end()
}

/**
 * Steps that beginning a block costs, so that a grid of endlessly many empty blocks stops too: 64 cleared bytes a step.
 */
function blockCost({ kernel, layout }: JitContext): number {
  const own = kernel.resources.filter((r) => layout.arrays.has(r.name))
  const bytes = own.reduce((n, r) => n + instanceBytes(r) * (r.space === 'local' ? 32 * layout.warps : 1), 0)
  return 8 + layout.warps + Math.ceil(bytes / 64)
}

/** Every lane of the block active; registers that may be read before they are written 0; arrays zeroed or poisoned. */
function prepare(d: Driver): void {
  const { c, f, fp } = d
  const [from, to] = c.layout.cleared
  charge(c, f, blockCost(c))
  eachWarp(d, () => {
    f.get(fp).get(fp).mem(mem.i32_load, frame.first).mem(mem.i32_store, frame.mask)
    f.get(fp).get(fp).mem(mem.i32_load, frame.first).mem(mem.i32_store, frame.alive)
    if (to > from)
      f.get(fp)
        .i32(from)
        .op(o.i32_add)
        .i32(0)
        .i32(to - from)
        .memoryFill()
  })
  for (const r of c.kernel.resources) {
    const address = c.layout.arrays.get(r.name)
    if (address === undefined) continue
    pushOwn(d, address)
    f.i32(r.zeroed ? 0 : poisonByte)
      .i32(instanceBytes(r) * (r.space === 'local' ? 32 * c.layout.warps : 1))
      .memoryFill()
  }
}

const isBlockLevel = (s: Stmt): boolean => hasBarrier([s])
const isGridLevel = (s: Stmt): boolean => meetsGrid({ body: [s] })

function emitBlockList(d: Driver, list: readonly Stmt[], loop: JitLoop | null, divergent: boolean): void {
  let region: Stmt[] = []
  const flush = (): void => {
    const own = region
    region = []
    if (own.length === 0) return
    if (d.forAll) return inTurn(d, () => emitBlockList(d, own, loop, divergent))
    const { index } = regionFunction(d.c, own, loop, divergent)
    charge(d.c, d.f, own.length * d.c.layout.warps)
    eachWarp(d, () => d.f.get(d.fp).call(index))
  }
  for (const s of list) {
    if (!(d.forAll ? isGridLevel : isBlockLevel)(s)) {
      region.push(s)
      continue
    }
    flush()
    if (s.kind === 'barrier') barrier(d, s)
    else if (s.kind === 'if') branch(d, s, loop, divergent)
    else if (s.kind === 'loop') blockLoop(d, s, divergent)
  }
  flush()
}

/** Counts `s` for every warp that has active lanes. */
function countForWarps(d: Driver, s: Stmt): void {
  eachWarp(d, () => {
    d.f.get(d.mask)
    d.f.if()
    openBlock(d.c, d.f, d.mask).statements.push(s)
    d.f.end()
  })
}

/** What is told of a barrier: −1 of a block, −2 of the grid, from −3 on of a block for one kind of memory. */
const passing = (s: Extract<Stmt, { kind: 'barrier' }>): number => {
  if (s.scope === 'grid') return -2
  return s.orders ? -3 - orderedSpaces.indexOf(s.orders) : -1
}

/** A barrier of the grid is a deadlock where threads have returned; one of a block leaves them out. */
function barrier(d: Driver, s: Extract<Stmt, { kind: 'barrier' }>): void {
  const { c, f, fp, mask, any } = d
  const missing = f.local('i32'),
    ofGrid = s.scope === 'grid',
    wanted = ofGrid ? frame.first : frame.alive
  const counter = ofGrid ? c.layout.meetings : c.layout.barriers
  charge(c, f, 1)
  countForWarps(d, s)
  f.i32(0).set(any).i32(0).set(missing)
  eachWarp(d, () => {
    f.get(any).get(mask).op(o.i32_or).set(any)
    f.get(missing).get(mask).get(fp).mem(mem.i32_load, wanted).op(o.i32_xor).op(o.i32_or).set(missing)
  })
  f.get(any)
  f.if()
  f.i32(0).i32(0).mem(mem.i64_load, counter).i64(1n).op(o.i64_add).mem(mem.i64_store, counter)
  if (c.observing) f.i32(passing(s)).call(c.imports.passed)
  if (c.observing && !ofGrid && !s.some) tellReturned(d, s)
  // Who else is not here is no fault of a barrier for some.
  if (s.some) f.i32(0)
  else f.get(missing)
  f.if()
  eachWarp(d, () => {
    f.get(mask).get(fp).mem(mem.i32_load, wanted).op(o.i32_ne)
    f.if()
    f.i32(c.statementOf.get(s)!)
      .get(fp)
      .mem(mem.i32_load, frame.warp)
      .get(mask)
      .get(fp)
      .mem(mem.i32_load, wanted)
      .call(c.imports.diverged)
    f.end()
  })
  f.end()
  f.end()
  f.release('i32', missing)
}

/** Says who returned before a barrier of the block that others pass. */
function tellReturned(d: Driver, s: Stmt): void {
  const { c, f, fp } = d
  eachWarp(d, () => {
    const first = (): typeof f => f.get(fp).mem(mem.i32_load, frame.first)
    first().get(fp).mem(mem.i32_load, frame.alive).op(o.i32_ne)
    f.if()
    f.i32(c.statementOf.get(s)!).get(fp).mem(mem.i32_load, frame.warp)
    first().get(fp).mem(mem.i32_load, frame.alive).op(o.i32_xor)
    f.call(c.imports.returned)
    f.end()
  })
}

function branch(d: Driver, s: Extract<Stmt, { kind: 'if' }>, loop: JitLoop | null, divergent: boolean): void {
  const { c, f, fp, mask, any } = d
  const [other, counter] = [slot(d), c.layout.branches + 8 * c.branchOf.get(s)!]
  const bits = f.local('i32')
  const inner = divergent || !isUniformOperand(c, s.condition)
  countForWarps(d, s)
  f.i32(0).set(any)
  eachWarp(d, () => {
    pushBitsOf(c, f, fp, s.condition)
    f.get(mask).op(o.i32_and).set(bits)
    f.get(fp).get(mask).get(bits).op(o.i32_xor).mem(mem.i32_store, other)
    f.get(fp).get(bits).mem(mem.i32_store, frame.mask)
    f.get(any).get(bits).op(o.i32_or).set(any)
    f.i32(0)
      .i32(0)
      .mem(mem.i64_load, counter)
      .get(bits)
      .i32(0)
      .op(o.i32_ne)
      .get(mask)
      .get(bits)
      .op(o.i32_ne)
      .op(o.i32_and)
      .op(o.i64_extend_i32_u)
      .op(o.i64_add)
      .mem(mem.i64_store, counter)
  })
  f.release('i32', bits)
  whileAny(d, () => emitBlockList(d, s.then, loop, inner))
  f.i32(0).set(any)
  const swapped = f.local('i32')
  eachWarp(d, () => {
    f.get(fp).mem(mem.i32_load, other).set(swapped)
    f.get(fp).get(mask).mem(mem.i32_store, other)
    f.get(fp).get(swapped).mem(mem.i32_store, frame.mask)
    f.get(any).get(swapped).op(o.i32_or).set(any)
  })
  f.release('i32', swapped)
  whileAny(d, () => emitBlockList(d, s.else, loop, inner))
  eachWarp(d, () => f.get(fp).get(mask).get(fp).mem(mem.i32_load, other).op(o.i32_or).mem(mem.i32_store, frame.mask))
}

const isUniformOperand = (c: JitContext, x: Operand): boolean => x.kind !== 'reg' || c.facts.uniform[x.id]!

/** Emits `body` under the condition that some warp has lanes for it (the local `any`). */
function whileAny(d: Driver, body: () => void): void {
  d.f.get(d.any)
  d.f.if()
  body()
  d.f.end()
}

function blockLoop(d: Driver, s: Extract<Stmt, { kind: 'loop' }>, divergent: boolean): void {
  const { c, f, fp, mask, any } = d
  const [left, skipped] = [slot(d), slot(d)]
  const inner = divergent || c.facts.splits.get(s) === true
  const inside: JitLoop = { kind: 'block', left, skipped }
  const resume = (from: number): void => {
    f.i32(0).set(any)
    eachWarp(d, () => {
      if (from >= 0)
        f.get(mask)
          .get(fp)
          .mem(mem.i32_load, from)
          .op(o.i32_or)
          .set(mask)
          .get(fp)
          .get(mask)
          .mem(mem.i32_store, frame.mask)
      f.get(any).get(mask).op(o.i32_or).set(any)
    })
  }
  eachWarp(d, () => f.get(fp).i32(0).mem(mem.i32_store, left))
  const exit = f.block()
  const again = f.loop()
  charge(c, f, (1 + iterationCost(s.body) + iterationCost(s.continuing)) * c.layout.warps)
  countForWarps(d, s)
  if (hasJump(s.body, 'continue')) eachWarp(d, () => f.get(fp).i32(0).mem(mem.i32_store, skipped))
  emitBlockList(d, s.body, inside, inner)
  resume(hasJump(s.body, 'continue') ? skipped : -1)
  f.get(any).op(o.i32_eqz).brIf(exit)
  emitBlockList(d, s.continuing, inside, inner)
  resume(-1)
  f.get(any).op(o.i32_eqz).brIf(exit)
  f.br(again)
  f.end()
  f.end()
  eachWarp(d, () => f.get(fp).get(fp).mem(mem.i32_load, left).mem(mem.i32_store, frame.mask))
}
