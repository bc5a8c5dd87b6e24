// In: subgroup operations. Out: WebAssembly that exchanges values between the active lanes of a warp. The one idea:
// bools are bit masks and need no loops; everything else is a scalar loop over the active lanes in a helper made on
// demand.
import { unreachable } from '../../base/index.ts'
import type { OpName, ScalarType, Stmt, SubgroupOp } from '../../ir/index.ts'
import { mem, opcode as o, type Func } from '../wasm.ts'
import { helper, type JitContext } from './context.ts'
import { at, tempBytes } from './layout.ts'
import { eachLane } from './memory.ts'
import { assignBits, assignScalar, isUniform, pushBits, pushScalar, pushVector, type WarpRegion } from './region.ts'
import { isWide, loadOf, pushConst, scalarOp, storeOf, wasmType } from './scalar.ts'

type Shuffle = Extract<
  SubgroupOp,
  'shuffle' | 'shuffleXor' | 'shuffleUp' | 'shuffleDown' | 'broadcast' | 'broadcastFirst'
>
type Fold = Extract<SubgroupOp, 'add' | 'mul' | 'min' | 'max' | 'and' | 'or' | 'xor'>
type Scan = Extract<SubgroupOp, 'inclusiveAdd' | 'exclusiveAdd' | 'inclusiveMul' | 'exclusiveMul'>

export function emitSubgroup(r: WarpRegion, s: Extract<Stmt, { kind: 'subgroup' }>): void {
  switch (s.op) {
    case 'any':
    case 'all':
    case 'ballot':
    case 'elect':
      return vote(r, s, s.op)
    case 'add':
    case 'mul':
    case 'min':
    case 'max':
    case 'and':
    case 'or':
    case 'xor':
      return fold(r, s, s.op)
    case 'inclusiveAdd':
    case 'exclusiveAdd':
    case 'inclusiveMul':
    case 'exclusiveMul':
      return scan(r, s, s.op)
    case 'shuffle':
    case 'shuffleXor':
    case 'shuffleUp':
    case 'shuffleDown':
    case 'broadcast':
    case 'broadcastFirst':
      return shuffle(r, s, s.op)
    default:
      return unreachable(s.op)
  }
}

type Statement = Extract<Stmt, { kind: 'subgroup' }>

function vote(r: WarpRegion, s: Statement, op: 'any' | 'all' | 'ballot' | 'elect'): void {
  const { f, mask } = r
  const bits = f.local('i32')
  if (op === 'elect') f.get(mask).i32(0).get(mask).op(o.i32_sub).op(o.i32_and)
  else {
    pushScalar(r, s.args[0]!)
    f.get(mask).op(o.i32_and)
    if (op === 'any') f.i32(0).op(o.i32_ne)
    if (op === 'all') f.get(mask).op(o.i32_eq)
    if (op !== 'ballot') f.set(bits).i32(0).get(bits).op(o.i32_sub)
  }
  f.set(bits)
  if (op === 'elect') assignBits(r, s.dst, bits)
  else assignScalar(r, s.dst, bits)
  f.release('i32', bits)
}

const loadValue = (type: ScalarType): number => loadOf(type === 'bool' ? 'i32' : type)

/** Pushes `base` + lane × size of the value. */
function place(f: Func, base: number, lane4: number, type: ScalarType): Func {
  f.get(base).get(lane4)
  if (isWide(type)) f.i32(1).op(o.i32_shl)
  return f.op(o.i32_add)
}

function fold(r: WarpRegion, s: Statement, op: Fold): void {
  const { c, f } = r
  const type = s.dst.type
  const index = helper(c, `fold.${op}.${type}`, () => {
    const h = c.module.func(['i32', 'i32'], [wasmType(type)])
    const [lane4, total, value] = [h.local('i32'), h.local(wasmType(type)), h.local(wasmType(type))]
    const rest = h.local('i32')
    h.get(1)
      .get(0)
      .op(o.i32_ctz)
      .i32(isWide(type) ? 3 : 2)
      .op(o.i32_shl)
      .op(o.i32_add)
      .mem(loadValue(type))
      .set(total)
    h.get(0).get(0).i32(1).op(o.i32_sub).op(o.i32_and).set(rest)
    eachLane(h, rest, lane4, () => {
      place(h, 1, lane4, type).mem(loadValue(type)).set(value)
      scalarOp(h, c.math, op, type, type, [total, value])
      h.set(total)
    })
    return h.get(total)
  })
  const result = f.local(wasmType(type))
  f.get(r.mask)
  pushVector(r, s.args[0]!, 0)
  f.call(index).set(result)
  assignScalar(r, s.dst, result)
  f.release(wasmType(type), result)
}

function scan(r: WarpRegion, s: Statement, op: Scan): void {
  const { c, f } = r
  const type = s.dst.type
  const by: OpName = op.endsWith('Add') ? 'add' : 'mul'
  const inclusive = op.startsWith('inclusive')
  const index = helper(c, `scan.${op}.${type}`, () => {
    const h = c.module.func(['i32', 'i32', 'i32'], [])
    const [lane4, total, value] = [h.local('i32'), h.local(wasmType(type)), h.local(wasmType(type))]
    const wide = type === 'i64' || type === 'u64'
    pushConst(h, type, by === 'mul' ? (wide ? 1n : 1) : wide ? 0n : 0)
    h.set(total)
    eachLane(h, 0, lane4, () => {
      place(h, 1, lane4, type).mem(loadValue(type)).set(value)
      if (!inclusive) place(h, 2, lane4, type).get(total).mem(storeOf(type))
      scalarOp(h, c.math, by, type, type, [total, value])
      h.set(total)
      if (inclusive) place(h, 2, lane4, type).get(total).mem(storeOf(type))
    })
    return h
  })
  f.get(r.mask)
  pushVector(r, s.args[0]!, 0)
  f.get(r.fp).i32(c.layout.home[s.dst.id]!).op(o.i32_add).call(index)
}

/** Pushes the lane that lane4 ÷ 4 reads from, before any check. Parameter 2 is the address of the arguments. */
function pushSource(c: JitContext, h: Func, op: Exclude<Shuffle, 'broadcastFirst'>, lane4: number): void {
  const lane = (): Func => h.get(lane4).i32(2).op(o.i32_shr_u)
  const argument = (): Func => h.get(2).get(lane4).op(o.i32_add).mem(mem.i32_load)
  switch (op) {
    case 'shuffle':
    case 'broadcast':
      argument()
        .i32(c.warpSize - 1)
        .op(o.i32_and)
      return
    case 'shuffleXor':
      lane()
      argument().op(o.i32_xor)
      return
    // A huge delta must not wrap around into the warp.
    case 'shuffleUp':
    case 'shuffleDown':
      lane()
      argument().i32(64)
      argument()
        .i32(64)
        .op(o.i32_lt_u)
        .op(o.select)
        .op(op === 'shuffleUp' ? o.i32_sub : o.i32_add)
  }
}

function shuffleHelper(c: JitContext, op: Exclude<Shuffle, 'broadcastFirst'>, wide: boolean): number {
  return helper(c, `${op}.${wide}`, () => {
    // (mask, values, arguments, destination, statement): results gather in a temporary, as source and destination may
    // be one.
    const h = c.module.func(['i32', 'i32', 'i32', 'i32', 'i32'], [])
    const [lane4, source, bad] = [h.local('i32'), h.local('i32'), h.local('i32')]
    const type: ScalarType = wide ? 'i64' : 'i32'
    const temp = at.temps + tempBytes * 7
    const tempBase = h.local('i32')
    h.i32(temp).set(tempBase)
    eachLane(h, 0, lane4, () => {
      pushSource(c, h, op, lane4)
      h.set(source)
      h.get(source).i32(c.warpSize).op(o.i32_ge_u)
      h.if()
      h.get(lane4).i32(2).op(o.i32_shr_u).set(source)
      h.else()
      h.get(0).get(source).op(o.i32_shr_u).i32(1).op(o.i32_and).op(o.i32_eqz)
      h.if()
      h.get(bad).i32(1).get(lane4).i32(2).op(o.i32_shr_u).op(o.i32_shl).op(o.i32_or).set(bad)
      h.get(lane4).i32(2).op(o.i32_shr_u).set(source)
      h.end()
      h.end()
      place(h, tempBase, lane4, type)
      h.get(1)
        .get(source)
        .i32(wide ? 3 : 2)
        .op(o.i32_shl)
        .op(o.i32_add)
        .mem(loadOf(type))
        .mem(storeOf(type))
    })
    eachLane(h, 0, lane4, () => {
      place(h, 3, lane4, type)
      place(h, tempBase, lane4, type).mem(loadOf(type)).mem(storeOf(type))
    })
    h.get(bad)
    h.if()
    h.get(4).get(bad).call(c.imports.shuffled)
    h.end()
    return h
  })
}

function shuffle(r: WarpRegion, s: Statement, op: Shuffle): void {
  const { c, f } = r
  const value = s.args[0]!
  // The others may read a lane that is not active, which must be seen even where all values are equal.
  if (op === 'broadcastFirst' && isUniform(c, value)) return copyUniform(r, s)
  const type = value.type
  const wide = isWide(type)
  // A uniform result or bits come back through a temporary.
  const through = type === 'bool' || c.facts.uniform[s.dst.id]!
  const back = at.temps + tempBytes * 3
  if (op === 'broadcastFirst') first(r, s)
  else {
    f.get(r.mask)
    pushVector(r, value, 1)
    pushVector(r, s.args[1]!, 2)
    if (through) f.i32(back)
    else f.get(r.fp).i32(c.layout.home[s.dst.id]!).op(o.i32_add)
    f.i32(c.statementOf.get(s)!).call(shuffleHelper(c, op, wide))
    if (through) takeBack(r, s, back)
  }
}

/** A value that is the same everywhere stays what it is. */
function copyUniform(r: WarpRegion, s: Statement): void {
  const local = r.f.local(wasmType(s.dst.type))
  pushScalar(r, s.args[0]!)
  r.f.set(local)
  assignScalar(r, s.dst, local)
  r.f.release(wasmType(s.dst.type), local)
}

function first(r: WarpRegion, s: Statement): void {
  const { f } = r
  const type = s.dst.type
  const local = f.local(wasmType(type))
  pushVector(r, s.args[0]!, 1)
  f.get(r.mask)
    .op(o.i32_ctz)
    .i32(isWide(type) ? 3 : 2)
    .op(o.i32_shl)
    .op(o.i32_add)
    .mem(loadValue(type))
    .set(local)
  assignScalar(r, s.dst, local)
  f.release(wasmType(type), local)
}

function takeBack(r: WarpRegion, s: Statement, back: number): void {
  const { f, c } = r
  const type = s.dst.type
  const local = f.local(wasmType(type))
  if (c.facts.uniform[s.dst.id]!) {
    f.get(r.mask)
      .op(o.i32_ctz)
      .i32(isWide(type) ? 3 : 2)
      .op(o.i32_shl)
      .mem(loadValue(type), back)
      .set(local)
    assignScalar(r, s.dst, local)
  } else {
    pushBits(f, back)
    f.set(local)
    assignBits(r, s.dst, local)
  }
  f.release(wasmType(type), local)
}
