// In: statement lists without block barriers. Out: one region function each, (frame) → (), that runs a warp through
// them. The one idea: control flow stays structured; the active lanes are the 32 bits of one local. A condition that is
// the same for the warp becomes a plain branch; otherwise both sides run under their part of the mask. No statement
// ever runs with an empty mask: where lanes leave, code branches to the nearest place where others may continue.
import { InternalError, unreachable } from '../../base/index.ts'
import { registerType, type Operand, type Stmt } from '../../ir/index.ts'
import { mem, opcode as o, type Func } from '../wasm.ts'
import type { JitContext } from './context.ts'
import { at, frame, rec } from './layout.ts'
import { loadElement, storeElement } from './elements.ts'
import { atomicHelper, loadHelper, requestHelper, steadyHelper, storeHelper, uniformHelper } from './memory.ts'
import {
  assignScalar,
  countExecution,
  enter,
  isUniform,
  pushIndex,
  pushIndices,
  pushScalar,
  pushVector,
  type WarpRegion,
  type Pure,
  type SteadyVector,
} from './region.ts'
import { emitSegment } from './segment.ts'
import { isWide, loadOf, wasmType } from './scalar.ts'
import { isRequestOnly, isWanted, openSteady, steadyIndex } from './steady-indices.ts'
import { emitSubgroup } from './subgroup.ts'

/**
 * A loop around the statements under way: in this function, or around the whole region (lanes parked in frame slots).
 */
export type JitLoop =
  | {
      readonly kind: 'warp'
      readonly exit: number
      readonly next: number
      readonly left: number
      readonly skipped: number
      readonly splits: boolean
    }
  | { readonly kind: 'block'; readonly left: number; readonly skipped: number }

interface Scope {
  /** Lanes that hold other values of a register may be inactive here. */
  readonly divergent: boolean
  /** Where to go when no lane is left. */
  readonly dead: number
  readonly loop: JitLoop | null
}

/**
 * Writes the region function of `list` and returns it. `divergent`: block-level control flow may have parted the lanes.
 */
export function regionFunction(c: JitContext, list: readonly Stmt[], loop: JitLoop | null, divergent: boolean): Func {
  const f = c.module.func(['i32'], [])
  const mask = f.local('i32')
  const r: WarpRegion = { c, f, fp: 0, mask, scalars: new Map(), steady: new Map(), families: new Map(), counted: null }
  f.get(0).mem(mem.i32_load, frame.mask).tee(mask).op(o.i32_eqz)
  f.if()
  f.op(o.return)
  f.end()
  const leave = enter(r, list)
  const dead = f.block()
  emitList(r, list, { divergent, dead, loop })
  f.end()
  leave()
  f.get(0).get(mask).mem(mem.i32_store, frame.mask)
  return f
}

const isPure = (s: Stmt | undefined): s is Pure => s?.kind === 'op' || s?.kind === 'builtin'

function emitList(r: WarpRegion, list: readonly Stmt[], scope: Scope): void {
  for (let i = 0; i < list.length; ) {
    const s = list[i]!
    // A loop is counted once per iteration, for its jump back.
    if (s.kind !== 'loop') countExecution(r, s)
    if (!isPure(s)) {
      emitStatement(r, s, scope)
      i++
      continue
    }
    const run: Pure[] = [s]
    for (let next = list[++i]; isPure(next); next = list[++i]) {
      countExecution(r, next)
      run.push(next)
    }
    emitSegment(
      r,
      run.filter((x) => isWanted(r.c, [x.dst])),
      scope.divergent,
    )
  }
}

function emitStatement(r: WarpRegion, s: Exclude<Stmt, Pure>, scope: Scope): void {
  switch (s.kind) {
    case 'load':
      return load(r, s)
    case 'store':
      return store(r, s)
    case 'atomic':
      return atomic(r, s)
    case 'subgroup':
      return emitSubgroup(r, s)
    case 'barrier':
      return warpBarrier(r)
    case 'if':
      return branch(r, s, scope)
    case 'loop':
      return loop(r, s, scope)
    case 'break':
      return leaveLoop(r, scope, 'left')
    case 'continue':
      return leaveLoop(r, scope, 'skipped')
    case 'return':
      return leaveKernel(r, scope)
    case 'matrix':
      throw new InternalError('simulate/jit', 'a step on matrices instead of what it means')
    default:
      return unreachable(s)
  }
}

/** A warp's lanes are in step anyway; only the watch for races wants to know. */
function warpBarrier({ c, f, fp }: WarpRegion): void {
  if (c.observing) f.get(fp).mem(mem.i32_load, frame.warp).call(c.imports.passed)
}

// Jumps.

/** Whether a list can end with fewer lanes than it began with. */
export function loses(list: readonly Stmt[]): boolean {
  return list.some((s) => {
    switch (s.kind) {
      case 'break':
      case 'continue':
      case 'return':
        return true
      case 'if':
        return loses(s.then) || loses(s.else)
      case 'loop':
        return returns(s.body)
      default:
        return false
    }
  })
}

export function returns(list: readonly Stmt[]): boolean {
  return list.some(
    (s) =>
      s.kind === 'return' ||
      (s.kind === 'if' && (returns(s.then) || returns(s.else))) ||
      (s.kind === 'loop' && returns(s.body)),
  )
}

/** Whether a list can jump with `kind` in the loop that directly holds it. */
export function hasJump(list: readonly Stmt[], kind: 'break' | 'continue'): boolean {
  return list.some((s) => s.kind === kind || (s.kind === 'if' && (hasJump(s.then, kind) || hasJump(s.else, kind))))
}

function leaveLoop(r: WarpRegion, { loop, dead }: Scope, way: 'left' | 'skipped'): void {
  const { f, mask } = r
  if (!loop) return // the verifier has refused it
  if (loop.kind === 'block') {
    f.get(r.fp).get(r.fp).mem(mem.i32_load, loop[way]).get(mask).op(o.i32_or).mem(mem.i32_store, loop[way])
  } else if (!loop.splits) {
    // All lanes of the loop go together.
    f.br(way === 'left' ? loop.exit : loop.next)
    r.counted = null
    return
  } else f.get(loop[way]).get(mask).op(o.i32_or).set(loop[way])
  f.i32(0).set(mask).br(dead)
  r.counted = null
}

function leaveKernel(r: WarpRegion, { dead }: Scope): void {
  const { f, mask } = r
  f.get(r.fp)
    .get(r.fp)
    .mem(mem.i32_load, frame.alive)
    .get(mask)
    .i32(-1)
    .op(o.i32_xor)
    .op(o.i32_and)
    .mem(mem.i32_store, frame.alive)
  f.i32(0).set(mask).br(dead)
  r.counted = null
}

// Structures.

function branch(r: WarpRegion, s: Extract<Stmt, { kind: 'if' }>, scope: Scope): void {
  const around = r.counted
  if (isUniform(r.c, s.condition)) plainBranch(r, s, scope)
  else maskedBranch(r, s, scope)
  r.counted = loses(s.then) || loses(s.else) ? null : around
}

function plainBranch(r: WarpRegion, s: Extract<Stmt, { kind: 'if' }>, scope: Scope): void {
  const { f } = r
  pushScalar(r, s.condition)
  f.if()
  r.counted = null
  emitList(r, s.then, scope)
  f.else()
  r.counted = null
  emitList(r, s.else, scope)
  f.end()
}

function maskedBranch(r: WarpRegion, s: Extract<Stmt, { kind: 'if' }>, scope: Scope): void {
  const { f, mask, c } = r
  const [then, otherwise] = [f.local('i32'), f.local('i32')]
  pushScalar(r, s.condition)
  f.get(mask).op(o.i32_and).tee(then).get(mask).op(o.i32_xor).set(otherwise)
  const counter = c.layout.branches + 8 * c.branchOf.get(s)!
  f.i32(0)
    .i32(0)
    .mem(mem.i64_load, counter)
    .get(then)
    .i32(0)
    .op(o.i32_ne)
    .get(otherwise)
    .i32(0)
    .op(o.i32_ne)
    .op(o.i32_and)
    .op(o.i64_extend_i32_u)
    .op(o.i64_add)
    .mem(mem.i64_store, counter)
  for (const [list, part] of [
    [s.then, then],
    [s.else, otherwise],
  ] as const) {
    if (list.length === 0) continue
    f.get(part)
    f.if()
    f.get(part).set(mask)
    const dead = f.block()
    r.counted = null
    emitList(r, list, { ...scope, divergent: true, dead })
    f.end()
    if (loses(list)) f.get(mask).set(part)
    f.end()
  }
  f.get(then).get(otherwise).op(o.i32_or).set(mask)
  f.release('i32', then)
  f.release('i32', otherwise)
  if (loses(s.then) || loses(s.else)) f.get(mask).op(o.i32_eqz).brIf(scope.dead)
}

/** Statements of a loop without those of loops inside: what one iteration costs at most. */
export function iterationCost(list: readonly Stmt[]): number {
  let n = 0
  for (const s of list) n += s.kind === 'if' ? 1 + iterationCost(s.then) + iterationCost(s.else) : 1
  return n
}

/** Takes `cost` steps off the limit; when none are left the host throws. */
export function charge(c: JitContext, f: Func, cost: number): void {
  f.globalGet(c.fuel).i64(BigInt(cost)).op(o.i64_sub).globalSet(c.fuel)
  f.globalGet(c.fuel).i64(0n).op(o.i64_lt_s)
  f.if()
  f.call(c.imports.exhausted)
  f.end()
}

function loop(r: WarpRegion, s: Extract<Stmt, { kind: 'loop' }>, scope: Scope): void {
  const { f, mask, c } = r
  const around = r.counted
  const splits = c.facts.splits.get(s) === true
  const returning = returns(s.body)
  const [left, skipped] = splits ? [f.local('i32'), f.local('i32')] : [-1, -1]
  if (splits) f.i32(0).set(left)
  const close = openSteady(r, s, (ops) => emitSegment(r, ops, scope.divergent))
  const exit = f.block()
  const again = f.loop()
  charge(c, f, 1 + iterationCost(s.body) + iterationCost(s.continuing))
  if (splits) f.i32(0).set(skipped)
  const next = f.block()
  const inside: JitLoop = { kind: 'warp', exit, next, left, skipped, splits }
  const divergent = scope.divergent || splits
  r.counted = null
  countExecution(r, s)
  emitList(r, s.body, { divergent, dead: next, loop: inside })
  f.end()
  if (splits) f.get(mask).get(skipped).op(o.i32_or).set(mask)
  if (splits || returning) f.get(mask).op(o.i32_eqz).brIf(exit)
  if (loses(s.body)) r.counted = null
  emitList(r, s.continuing, { divergent, dead: exit, loop: inside })
  f.br(again)
  f.end()
  f.end()
  close()
  if (splits) {
    f.get(left).set(mask)
    f.release('i32', left)
    f.release('i32', skipped)
  }
  r.counted = returning ? null : around
  if (returning) f.get(mask).op(o.i32_eqz).brIf(scope.dead)
}

// Memory.

type Access = Extract<Stmt, { kind: 'load' | 'store' | 'atomic' }>

const recordOf = (c: JitContext, s: Stmt): number => c.layout.records + rec.bytes * c.siteOf.get(s)!
// verified
const spaceOf = (c: JitContext, resource: string): string => c.kernel.resources.find((x) => x.name === resource)!.space

/** Pushes what every memory helper begins with. */
function pushRequest(r: WarpRegion, s: Access): void {
  r.f.get(r.fp)
  pushIndices(r, s.address.index, 1, recordOf(r.c, s))
  r.f.get(r.mask).i32(recordOf(r.c, s))
}

/** A request whose data nobody wants: counted, and looked at for hazards. */
function requestOnly(r: WarpRegion, s: Access): void {
  const { c, f } = r
  if (s.kind !== 'atomic' && isUniform(c, s.address.index) && spaceOf(c, s.address.resource) !== 'local') {
    f.get(r.fp)
    pushIndex(r, s.address.index, recordOf(c, s))
    f.get(r.mask).i32(recordOf(c, s)).call(uniformHelper(c)).op(o.drop)
    return
  }
  const steady = steadyIndex(r, s)
  if (steady) return steadyRequest(r, s, steady)
  pushRequest(r, s)
  f.call(requestHelper(c))
}

/** The same at an index whose vector the loop leaves as it is. */
function steadyRequest(r: WarpRegion, s: Access, { shift }: SteadyVector): void {
  const { c, f } = r,
    family = r.families.get(s)! // a loop that has the index begun has one for the access
  f.get(r.fp)
  pushVector(r, s.address.index, 1)
  f.get(r.mask).i32(recordOf(c, s))
  if (shift === null) f.i32(0)
  else f.get(shift)
  f.get(family).call(steadyHelper(c)).set(family)
}

function load(r: WarpRegion, s: Extract<Stmt, { kind: 'load' }>): void {
  const { c, f } = r
  if (isRequestOnly(c, s)) return requestOnly(r, s)
  const local = spaceOf(c, s.address.resource) === 'local'
  if (isUniform(c, s.address.index) && !local) return loadUniform(r, s)
  pushRequest(r, s)
  for (const d of s.dst) f.get(r.fp).i32(c.layout.home[d.id]!).op(o.i32_add)
  f.call(loadHelper(c, s.type, s.dst.length, local))
}

/** Pushes the element's address; `instead` when it is out of bounds. */
function pushUniformAddress(r: WarpRegion, s: Extract<Stmt, { kind: 'load' | 'store' }>, instead: number): void {
  const { c, f } = r
  f.get(r.fp)
  pushIndex(r, s.address.index, recordOf(c, s))
  f.get(r.mask).i32(recordOf(c, s)).call(uniformHelper(c))
  if (instead === 0) return
  const address = f.local('i32')
  f.tee(address).i32(instead).get(address).op(o.select)
  f.release('i32', address)
}

function loadUniform(r: WarpRegion, s: Extract<Stmt, { kind: 'load' }>): void {
  const { f, c } = r
  const address = f.local('i32')
  const type = registerType(s.type)
  const value = f.local(wasmType(type))
  pushUniformAddress(r, s, 0)
  f.set(address)
  s.dst.forEach((d, k) => {
    f.get(address)
    loadElement(c, f, s.type, k * elementBytes(s.type))
    f.set(value)
    assignScalar(r, d, value)
  })
  f.release('i32', address)
  f.release(wasmType(type), value)
}

function elementBytes(type: Extract<Stmt, { kind: 'load' }>['type']): number {
  switch (type) {
    case 'i8':
    case 'u8':
      return 1
    case 'i16':
    case 'u16':
    case 'f16':
      return 2
    case 'i32':
    case 'u32':
    case 'f32':
      return 4
    case 'i64':
    case 'u64':
    case 'f64':
      return 8
  }
}

function store(r: WarpRegion, s: Extract<Stmt, { kind: 'store' }>): void {
  const { c, f } = r
  if (isRequestOnly(c, s)) return requestOnly(r, s)
  const local = spaceOf(c, s.address.resource) === 'local'
  if (isUniform(c, s.address.index) && !local) return storeUniform(r, s)
  pushRequest(r, s)
  s.src.forEach((x, k) => pushVector(r, x, 3 + k))
  f.call(storeHelper(c, s.type, s.src.length, local))
}

/** All lanes write one place: the highest active lane wins. */
function storeUniform(r: WarpRegion, s: Extract<Stmt, { kind: 'store' }>): void {
  const { c, f } = r
  const address = f.local('i32')
  pushUniformAddress(r, s, at.sink)
  f.set(address)
  s.src.forEach((x, k) => {
    f.get(address)
    pushLastLane(r, x)
    storeElement(c, f, s.type, k * elementBytes(s.type))
  })
  f.release('i32', address)
}

function pushLastLane(r: WarpRegion, x: Operand): void {
  const { c, f } = r
  if (x.kind !== 'reg' || isUniform(c, x)) return pushScalar(r, x)
  f.get(r.fp)
    .i32(31)
    .get(r.mask)
    .op(o.i32_clz)
    .op(o.i32_sub)
    .i32(isWide(x.type) ? 3 : 2)
    .op(o.i32_shl)
    .op(o.i32_add)
    .mem(loadOf(x.type), c.layout.home[x.id]!)
}

function atomic(r: WarpRegion, s: Extract<Stmt, { kind: 'atomic' }>): void {
  const { c, f } = r
  if (isRequestOnly(c, s)) return requestOnly(r, s)
  pushRequest(r, s)
  if (s.dst) f.get(r.fp).i32(c.layout.home[s.dst.id]!).op(o.i32_add)
  else f.i32(0)
  s.args.forEach((x, k) => pushVector(r, x, 3 + k))
  f.call(atomicHelper(c, s.op, s.type, s.args.length))
}
