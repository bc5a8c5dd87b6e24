// In: a kernel. Out: a WebAssembly module whose `run` executes one block. The one idea: control flow that holds block
// barriers is executed for the whole block, one step for every warp in turn, with each warp's active lanes parked in its
// frame; everything between is a region function per warp. So warps meet at barriers without being suspended, and a
// barrier that not all lanes reach is seen, reported and passed.
import { listsOf, type Kernel, type Operand, type Stmt, facts } from '../../ir/index.ts'
import { mem, op as o, WasmModule, type Func } from '../wasm.ts'
import { openBlock, pushBitsOf } from './region.ts'
import { charge, iterationCost, jumps, regionFunction, type Loop } from './control.ts'
import type { Context, CountedBlock } from './context.ts'
import { arrayBytes, countUses, frame, hasBarrier, layOut, measure, type Layout } from './layout.ts'
import { importMath } from './scalar.ts'

/** Bytes that uninitialised shared and local memory holds, so that reading it is visible. */
export const poison = 0xa5

export interface Compiled {
  readonly layout: Layout
  readonly blocks: readonly CountedBlock[]
  readonly siteOf: ReadonlyMap<Stmt, number>
  readonly branchOf: ReadonlyMap<Stmt, number>
  readonly statements: readonly Stmt[]
  /** Whether the host must look at requests and barriers. */
  readonly observing: boolean
}

/** Numbers of memory statements, branches and all statements, in program order. */
function numbering(kernel: Kernel): { siteOf: Map<Stmt, number>; branchOf: Map<Stmt, number>; statements: Stmt[] } {
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
  return { siteOf, branchOf, statements }
}

/** Compiles `kernel` for warps of `warpSize` lanes (at most 32 are simulated as one warp). The bytes are a module's, which needs them only while it is made. */
export function compileModule(kernel: Kernel, warpSize: number, observing: boolean, maxBytes: number): { readonly bytes: Uint8Array<ArrayBuffer>; readonly compiled: Compiled } {
  const known = facts(kernel, warpSize)
  const layout = layOut(kernel, known, warpSize, measure(kernel), maxBytes)
  const module = new WasmModule()
  const math = importMath(module)
  const imports = {
    resolve: module.import('resolve', ['i32', 'i32', 'i32', 'i32'], ['i32']),
    observe: module.import('observe', ['i32', 'i32', 'i32', 'i32'], []),
    shuffled: module.import('shuffled', ['i32', 'i32'], []),
    diverged: module.import('diverged', ['i32', 'i32', 'i32', 'i32'], []),
    passed: module.import('passed', ['i32'], []),
    exhausted: module.import('exhausted', [], []),
  }
  const { siteOf, branchOf, statements } = numbering(kernel)
  const statementOf = new Map(statements.map((s, i) => [s, i]))
  const c: Context = {
    kernel, facts: known, uses: countUses(kernel), layout, module, math, imports, warpSize, observing,
    siteOf, branchOf, statementOf, helpers: new Map(), blocks: [], fuel: module.global('fuel'),
  }
  const f = module.func([], [], 'run')
  const d: Driver = { c, f, fp: f.local('i32'), mask: f.local('i32'), any: f.local('i32'), slots: 0 }
  prepare(d)
  emitBlockList(d, kernel.body, null, false)
  return { bytes: module.encode(), compiled: { layout, blocks: c.blocks, siteOf, branchOf, statements, observing } }
}

interface Driver {
  readonly c: Context
  readonly f: Func
  readonly fp: number
  readonly mask: number
  readonly any: number
  slots: number
}

const slot = (d: Driver): number => frame.slots + 4 * d.slots++

/** Runs `body` for every warp, with `fp` at its frame and `mask` its active lanes. */
function eachWarp(d: Driver, body: () => void): void {
  const { c, f, fp, mask } = d
  f.i32(c.layout.frames).set(fp)
  const again = f.loop()
  f.get(fp).mem(mem.i32_load, frame.mask).set(mask)
  body()
  f.get(fp).i32(c.layout.frameBytes).op(o.i32_add).tee(fp).i32(c.layout.frames + c.layout.frameBytes * c.layout.warps).op(o.i32_lt_u).brIf(again)
  f.end()
}

/** Steps that beginning a block costs, so that a grid of endlessly many empty blocks stops too: 64 cleared bytes a step. */
function blockCost({ kernel, layout }: Context): number {
  const own = kernel.resources.filter((r) => layout.arrays.has(r.name))
  const bytes = own.reduce((n, r) => n + arrayBytes(r) * (r.space === 'local' ? 32 * layout.warps : 1), 0)
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
    if (to > from) f.get(fp).i32(from).op(o.i32_add).i32(0).i32(to - from).memoryFill()
  })
  for (const r of c.kernel.resources) {
    const address = c.layout.arrays.get(r.name)
    if (address === undefined) continue
    f.i32(address).i32(r.zeroed ? 0 : poison).i32(arrayBytes(r) * (r.space === 'local' ? 32 * c.layout.warps : 1)).memoryFill()
  }
}

const isBarrier = (s: Stmt): boolean => s.kind === 'barrier' && s.scope === 'block'
const isBlockLevel = (s: Stmt): boolean => isBarrier(s) || listsOf(s).some(hasBarrier)

function emitBlockList(d: Driver, list: readonly Stmt[], loop: Loop | null, divergent: boolean): void {
  let region: Stmt[] = []
  const flush = (): void => {
    if (region.length === 0) return
    const { index } = regionFunction(d.c, region, loop, divergent)
    charge(d.c, d.f, region.length * d.c.layout.warps)
    eachWarp(d, () => d.f.get(d.fp).call(index))
    region = []
  }
  for (const s of list) {
    if (!isBlockLevel(s)) { region.push(s); continue }
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

function barrier(d: Driver, s: Stmt): void {
  const { c, f, fp, mask, any } = d
  const missing = f.local('i32')
  charge(c, f, 1)
  countForWarps(d, s)
  f.i32(0).set(any).i32(0).set(missing)
  eachWarp(d, () => {
    f.get(any).get(mask).op(o.i32_or).set(any)
    f.get(missing).get(mask).get(fp).mem(mem.i32_load, frame.alive).op(o.i32_xor).op(o.i32_or).set(missing)
  })
  f.get(any)
  f.if()
  f.i32(0).i32(0).mem(mem.i64_load, c.layout.barriers).i64(1n).op(o.i64_add).mem(mem.i64_store, c.layout.barriers)
  if (c.observing) f.i32(-1).call(c.imports.passed)
  // Who else is not here is no fault of a barrier for some.
  if (s.kind === 'barrier' && s.some) f.i32(0)
  else f.get(missing)
  f.if()
  eachWarp(d, () => {
    f.get(mask).get(fp).mem(mem.i32_load, frame.alive).op(o.i32_ne)
    f.if()
    f.i32(c.statementOf.get(s)!).get(fp).mem(mem.i32_load, frame.warp).get(mask).get(fp).mem(mem.i32_load, frame.alive).call(c.imports.diverged)
    f.end()
  })
  f.end()
  f.end()
  f.release('i32', missing)
}

function branch(d: Driver, s: Extract<Stmt, { kind: 'if' }>, loop: Loop | null, divergent: boolean): void {
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
    f.i32(0).i32(0).mem(mem.i64_load, counter).get(bits).i32(0).op(o.i32_ne).get(mask).get(bits).op(o.i32_ne).op(o.i32_and).op(o.i64_extend_i32_u).op(o.i64_add).mem(mem.i64_store, counter)
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

const isUniformOperand = (c: Context, x: Operand): boolean => x.kind !== 'reg' || c.facts.uniform[x.id]!

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
  const inside: Loop = { kind: 'block', left, skipped }
  const resume = (from: number): void => {
    f.i32(0).set(any)
    eachWarp(d, () => {
      if (from >= 0) f.get(mask).get(fp).mem(mem.i32_load, from).op(o.i32_or).set(mask).get(fp).get(mask).mem(mem.i32_store, frame.mask)
      f.get(any).get(mask).op(o.i32_or).set(any)
    })
  }
  eachWarp(d, () => f.get(fp).i32(0).mem(mem.i32_store, left))
  const exit = f.block()
  const again = f.loop()
  charge(c, f, (1 + iterationCost(s.body) + iterationCost(s.continuing)) * c.layout.warps)
  countForWarps(d, s)
  if (jumps(s.body, 'continue')) eachWarp(d, () => f.get(fp).i32(0).mem(mem.i32_store, skipped))
  emitBlockList(d, s.body, inside, inner)
  resume(jumps(s.body, 'continue') ? skipped : -1)
  f.get(any).op(o.i32_eqz).brIf(exit)
  emitBlockList(d, s.continuing, inside, inner)
  resume(-1)
  f.get(any).op(o.i32_eqz).brIf(exit)
  f.br(again)
  f.end()
  f.end()
  eachWarp(d, () => f.get(fp).get(fp).mem(mem.i32_load, left).mem(mem.i32_store, frame.mask))
}
