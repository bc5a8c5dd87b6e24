// In: shuffles, votes, barriers and fences. Out: KernelIR subgroup operations and barriers. The one idea: the lanes
// that execute the instruction are the lanes of its mask, as CUDA demands; a shuffle within segments computes its
// source lane as the PTX ISA says. Lanes wait for each other where control flow meets again, not where a mask names
// them.
import { constOf, type Operand as Value, type Stmt, type SubgroupOp } from '../../../ir/index.ts'
import { typeOf } from './integers.ts'
import type { Instruction, PtxOperand, PtxType } from '../text/syntax.ts'
import { scalarOf, type PtxValues } from './values.ts'

/** Lowers an instruction on warps or blocks; false when it is none. */
export function warpInstruction(v: PtxValues, s: Instruction): boolean {
  const { name, mods } = s.opcode
  switch (name) {
    case 'shfl':
      shuffle(v, s)
      return true
    case 'vote':
      vote(v, s)
      return true
    case 'activemask':
      v.put(s.operands[0], 'b32', subgroup(v, 'ballot', [constOf('bool', 1)], 'u32'))
      return true
    case 'match':
      match(v, s)
      return true
    case 'redux':
      reduce(v, s)
      return true
    case 'elect':
      elect(v, s)
      return true
    case 'bar':
    case 'barrier':
      barrier(v, s)
      return true
    case 'membar':
    case 'fence':
    case 'nanosleep':
    case 'griddepcontrol':
    case 'prefetch':
    case 'prefetchu':
    case 'pmevent':
    case 'discard':
    case 'applypriority':
    case 'setmaxnreg':
      tick(v)
      return true
    case 'cp':
      if (mods[0] === 'async' && (mods[1] === 'commit_group' || mods[1] === 'wait_group' || mods[1] === 'wait_all')) {
        tick(v)
        return true
      }
      return false
    default:
      return false
  }
}

/** An instruction that is counted and does nothing here. */
export function tick(v: PtxValues): void {
  v.op('or', [v.u32(0), v.u32(0)])
}

function subgroup(v: PtxValues, op: SubgroupOp, args: readonly Value[], type: Value['type']): Value {
  const dst = v.temp(type)
  v.push({ kind: 'subgroup', op, dst, args })
  return dst
}

/** The mask of a whole warp of 32. */
const allLanes = 0xffffffff

/**
 * CUDA leaves open what an instruction gives a lane that its mask leaves out, and what happens where the mask names a
 * lane that is there and does not execute it. A lane reads one that is not active then: a hazard at the place of the
 * instruction. Free of cost.
 */
function checkMask(v: PtxValues, mask: PtxOperand | undefined): void {
  if (!mask) return
  checkAbsent(v, mask)
  if (mask.kind === 'literal' && Number(BigInt.asUintN(32, mask.bits)) === allLanes) return
  const lane = v.temp('u32'),
    isFree = (s: Stmt): Stmt => ({ ...s, free: true })
  const check = v.collect(() => {
    v.push({ kind: 'builtin', dst: lane, name: 'lane' })
    const those = v.get(mask, 'b32')
    const leftOut = v.op('eq', [v.op('and', [v.op('shr', [those, lane]), v.u32(1)]), v.u32(0)])
    const then = v.collect(() => {
      subgroup(v, 'shuffle', [lane, v.op('sub', [v.u32(31), v.op('clz', [those])])], 'u32')
    })
    v.push({ kind: 'if', condition: leftOut, then: then.map(isFree), else: [], counts: {}, branches: 0 })
  })
  for (const s of check) v.push(isFree(s))
}

/** Lanes that a mask names, that have not returned and that are elsewhere. */
function checkAbsent(v: PtxValues, mask: PtxOperand): void {
  const present = v.temp('u32'),
    isFree = (s: Stmt): Stmt => ({ ...s, free: true })
  const check = v.collect(() => {
    v.push({ kind: 'builtin', dst: present, name: 'presentLanes' })
    const active = subgroup(v, 'ballot', [constOf('bool', 1)], 'u32')
    const named = v.op('and', [v.get(mask, 'b32'), present])
    const absent = v.op('and', [named, v.op('not', [active])])
    const then = v.collect(() => {
      subgroup(v, 'shuffle', [absent, v.op('sub', [v.u32(31), v.op('clz', [absent])])], 'u32')
    })
    const condition = v.op('ne', [absent, v.u32(0)])
    v.push({ kind: 'if', condition, then: then.map(isFree), else: [], counts: {}, branches: 0 })
  })
  for (const s of check) v.push(isFree(s))
}

const direct: Readonly<Record<string, { readonly op: SubgroupOp; readonly clamp: number }>> = {
  up: { op: 'shuffleUp', clamp: 0 },
  down: { op: 'shuffleDown', clamp: 31 },
  bfly: { op: 'shuffleXor', clamp: 31 },
  idx: { op: 'shuffle', clamp: 31 },
}

/** shfl: without segments it is one operation; with them the source lane is computed. */
function shuffle(v: PtxValues, s: Instruction): void {
  const [dst, a, b, c] = s.operands
  const mode = s.opcode.mods.find((m) => Object.hasOwn(direct, m)) ?? v.refuse(`${s.opcode.text} cannot be analysed`)
  const { op, clamp } = direct[mode]!
  const value = v.get(a, 'b32')
  checkMask(v, s.operands[4])
  if (c?.kind === 'literal' && Number(c.bits) === clamp && !s.second) {
    const by = v.get(b, 'u32')
    v.put(
      dst,
      'b32',
      subgroup(v, op, [value, mode === 'bfly' || mode === 'idx' ? v.op('and', [by, v.u32(31)]) : by], 'u32'),
    )
    return
  }
  const { source, inside } = sourceLane(v, s, mode)
  const kept = v.op('copy', [inside])
  const got = subgroup(v, 'shuffle', [value, source], 'u32')
  v.put(dst, 'b32', got)
  if (s.second) v.put(s.second, 'pred', kept)
}

/** The lane that a shuffle reads, and whether it lies in the segment. */
function sourceLane(v: PtxValues, s: Instruction, mode: string): { readonly source: Value; readonly inside: Value } {
  const lane = v.temp('u32')
  v.push({ kind: 'builtin', dst: lane, name: 'lane' })
  const by = v.op('and', [v.get(s.operands[2], 'u32'), v.u32(31)])
  const control = v.get(s.operands[3], 'u32')
  const segment = v.op('and', [v.op('shr', [control, v.u32(8)]), v.u32(31)])
  const others = v.op('xor', [segment, v.u32(31)])
  const first = v.op('and', [lane, segment])
  const last = v.op('or', [first, v.op('and', [v.op('and', [control, v.u32(31)]), others])])
  const signed = (x: Value): Value => v.bits(x, 'i32')
  const target =
    mode === 'up'
      ? v.op('sub', [lane, by])
      : mode === 'down'
        ? v.op('add', [lane, by])
        : mode === 'bfly'
          ? v.op('xor', [lane, by])
          : v.op('or', [first, v.op('and', [by, others])])
  const inside = v.op(mode === 'up' ? 'ge' : 'le', [signed(target), signed(last)])
  return { source: v.op('select', [inside, target, lane]), inside }
}

function vote(v: PtxValues, s: Instruction): void {
  const [dst, a] = s.operands
  const p = v.get(a, 'pred')
  const how = s.opcode.mods.find((m) => m === 'all' || m === 'any' || m === 'uni' || m === 'ballot')
  const mask = s.operands[s.operands.length - 1]
  if (s.opcode.mods.includes('sync')) checkMask(v, mask)
  const those = (x: Value): Value => {
    const bits = subgroup(v, 'ballot', [x], 'u32')
    return mask?.kind === 'register' ? v.op('and', [bits, v.get(mask, 'b32')]) : bits
  }
  if (how === 'ballot') v.put(dst, 'b32', those(p))
  else if (mask?.kind === 'register' && how !== 'uni')
    v.put(
      dst,
      'pred',
      how === 'all' ? v.op('eq', [those(v.op('lnot', [p])), v.u32(0)]) : v.op('ne', [those(p), v.u32(0)]),
    )
  else if (how === 'uni')
    v.put(dst, 'pred', v.op('lor', [subgroup(v, 'all', [p], 'bool'), v.op('lnot', [subgroup(v, 'any', [p], 'bool')])]))
  else v.put(dst, 'pred', subgroup(v, how ?? 'any', [p], 'bool'))
}

/**
 * match.any: lanes with the first lane's value find their mask and leave, until none is left. match.all compares once.
 */
function match(v: PtxValues, s: Instruction): void {
  const t: PtxType = s.opcode.mods.includes('b64') ? 'b64' : 'b32'
  const [dst, a] = s.operands
  const value = v.get(a, t)
  const result = v.temp('u32')
  if (s.opcode.mods.includes('all')) {
    const same = subgroup(v, 'all', [v.op('eq', [subgroup(v, 'broadcastFirst', [value], value.type), value])], 'bool')
    const all = subgroup(v, 'ballot', [constOf('bool', 1)], 'u32')
    v.op('select', [same, all, v.u32(0)], 'u32', result)
    v.put(dst, 'b32', result)
    if (s.second) v.put(s.second, 'pred', same)
    return
  }
  const body = v
    .collect(() => {
      const equal = v.op('eq', [subgroup(v, 'broadcastFirst', [value], value.type), value])
      const mask = subgroup(v, 'ballot', [equal], 'u32')
      v.push({
        kind: 'if',
        condition: equal,
        then: [
          { kind: 'op', op: 'copy', dst: result, args: [mask], free: true },
          { kind: 'break', free: true },
        ],
        else: [],
        free: true,
      })
    })
    .map((x) => ({ ...x, free: true as const }))
  v.push({ kind: 'loop', body, continuing: [], free: true })
  // One instruction is counted, where all lanes are back.
  v.put(dst, 'b32', v.op('or', [result, v.u32(0)]))
}

/**
 * Runs statements once for each mask that lanes have, for the lanes that have it. `others`: for the lanes that are
 * left, where the warp parts as by a branch.
 */
export function byMasks(v: PtxValues, mask: Value, make: () => readonly Stmt[], others?: Stmt): void {
  const body = v
    .collect(() => {
      const mine = v.op('eq', [subgroup(v, 'broadcastFirst', [mask], mask.type), mask])
      const then = v.collect(() => {
        for (const x of make()) v.push(x)
      })
      v.push({
        kind: 'if',
        condition: mine,
        then: [...then.map((x) => ({ ...x, free: true as const })), { kind: 'break', free: true }],
        else: others ? [others] : [],
        ...(others && { counts: {}, branches: 0 }),
      })
    })
    .map((x) => (x.kind === 'if' && others ? x : { ...x, free: true as const }))
  v.push({ kind: 'loop', body, continuing: [], free: true })
}

function reduce(v: PtxValues, s: Instruction): void {
  const op =
    s.opcode.mods.find(
      (m): m is 'add' | 'min' | 'max' | 'and' | 'or' | 'xor' =>
        m === 'add' || m === 'min' || m === 'max' || m === 'and' || m === 'or' || m === 'xor',
    ) ?? v.refuse(`${s.opcode.text} cannot be analysed`)
  const t = typeOf(s)
  const value = v.get(s.operands[1], t)
  const mask = s.operands[2]
  checkMask(v, mask)
  if (mask?.kind !== 'register') {
    v.put(s.operands[0], t, subgroup(v, op, [value], scalarOf(t)))
    return
  }
  const result = v.temp(scalarOf(t))
  byMasks(v, v.get(mask, 'b32'), () => [
    { kind: 'op', op: 'copy', dst: result, args: [subgroup(v, op, [value], scalarOf(t))], free: true },
  ])
  v.put(s.operands[0], t, v.op('copy', [result]))
}

function elect(v: PtxValues, s: Instruction): void {
  const lane = v.temp('u32')
  v.push({ kind: 'builtin', dst: lane, name: 'lane' })
  const leader = subgroup(v, 'broadcastFirst', [lane], 'u32')
  const chosen = subgroup(v, 'elect', [], 'bool')
  v.put(s.operands[0], 'b32', leader)
  if (s.second) v.put(s.second, 'pred', chosen)
}

/**
 * The block's count of threads with a predicate, through a word of shared memory: zeroed, added to, read, with barriers
 * between.
 */
function barrierReduction(v: PtxValues, s: Instruction): void {
  const { mods } = s.opcode
  const predicate = s.operands[s.operands.length - 1]
  const p = v.get(predicate, 'pred')
  const votes = v.votes()
  v.notes.add(
    `${s.opcode.text} is run through a word of shared memory ('${votes}'), which the accesses and barriers include`,
  )
  const every = mods.includes('and')
  const address = { resource: votes, index: v.u32(0), stride: 4, offset: 0 }
  const meet = (): void => v.push({ kind: 'barrier', scope: 'block' })
  const rank = v.temp('u32')
  v.push({ kind: 'builtin', dst: rank, name: 'threadRank' })
  const mine = v.op('select', [every ? v.op('lnot', [p]) : p, v.u32(1), v.u32(0)])
  meet()
  v.push({
    kind: 'if',
    condition: v.op('eq', [rank, v.u32(0)]),
    then: [{ kind: 'store', src: [v.u32(0)], type: 'u32', address, free: true }],
    else: [],
    free: true,
  })
  meet()
  v.push({ kind: 'atomic', op: 'add', dst: null, type: 'u32', address, args: [mine], free: true })
  meet()
  const count = v.temp('u32')
  v.push({ kind: 'load', dst: [count], type: 'u32', address, free: true })
  if (mods.includes('popc')) v.put(s.operands[0], 'u32', v.op('copy', [count]))
  else v.put(s.operands[0], 'pred', v.op(every ? 'eq' : 'ne', [count, v.u32(0)]))
}

const parts =
  'a barrier for a part of the block holds the threads that come to it on one path: parts that wait for each ' +
  'other on both sides of a branch run one side after the other'

/** bar.sync of the whole block, of a warp, or of a part of the block. */
function barrier(v: PtxValues, s: Instruction): void {
  const { mods } = s.opcode
  if (mods.includes('cluster')) return tick(v)
  if (mods.includes('grid')) {
    v.push({ kind: 'barrier', scope: 'grid' })
    return
  }
  if (mods[0] === 'warp') {
    v.push({ kind: 'barrier', scope: 'warp' })
    return
  }
  if (mods.includes('red')) return barrierReduction(v, s)
  if (mods.includes('arrive')) {
    v.notes.add(parts)
    return tick(v)
  }
  const count = s.operands[1]
  if (count === undefined) {
    v.push({ kind: 'barrier', scope: 'block' })
    return
  }
  // One warp is enough to open a barrier of 32 threads: nobody waits for another.
  const threads = count.kind === 'literal' ? Number(count.bits) : NaN
  if (threads === 32) {
    v.push({ kind: 'barrier', scope: 'warp' })
    return
  }
  if (threads === v.threads) {
    v.push({ kind: 'barrier', scope: 'block' })
    return
  }
  v.notes.add(parts)
  v.push({ kind: 'barrier', scope: 'block', some: true })
}
