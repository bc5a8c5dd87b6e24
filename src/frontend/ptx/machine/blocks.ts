// In: the machine code of a function. Out: its basic blocks, their loops, and which of them only rare cases reach. The
// one idea: a block ends where lanes may go different ways or leave, and behind a place where they meet again.
import { instructionBytes, type MachineFunction, type MachineInstruction } from './code.ts'

export interface MachineBlock {
  /** Instructions `from` to `to`, the last excluded. */
  readonly from: number
  readonly to: number
  /** The innermost loop that holds it, by number; −1 for none. */
  readonly loop: number
  /** Only rare cases come here: slow paths, warps whose lanes have parted, padding. */
  readonly cold: boolean
  /** Blocks that always call the routine that it belongs to; empty when it belongs to none. */
  readonly callers: readonly number[]
}

export interface MachineLoop {
  readonly header: number
  readonly parent: number /** Blocks that are in no deeper loop. */
  readonly own: readonly number[]
}

export interface MachineGraph {
  readonly blocks: readonly MachineBlock[]
  readonly preds: readonly (readonly number[])[]
  readonly next: readonly (readonly number[])[]
  readonly loops: readonly MachineLoop[]
  /** Blocks that are reached, in reverse postorder, and each block's position there; −1 for others. */
  readonly order: readonly number[]
  readonly rank: ArrayLike<number>
}

/** `isSlow`: whether a call that comes from a line of the PTX is made by the assembler for a rare case. */
export function basicBlocksOf(code: MachineFunction, isSlow: (line: number) => boolean): MachineGraph {
  const { instructions } = code
  const count = instructions.length
  const starts = new Uint8Array(count + 1)
  starts[0] = 1
  instructions.forEach((s, i) => {
    if (s.target >= 0) starts[s.target / instructionBytes] = 1
    if (s.flow !== 'on') starts[i + 1] = 1
    // What lanes that come on different ways each execute before they go on together is a block of its own.
    if (s.flow === 'meet') starts[i] = 1
  })
  const firsts = [...starts.keys()].filter((i) => starts[i] === 1 && i < count)
  const blockAt = new Int32Array(count)
  firsts.forEach((from, b) => blockAt.fill(b, from, firsts[b + 1] ?? count))
  const lastOf = (b: number): MachineInstruction => instructions[(firsts[b + 1] ?? count) - 1]!
  const isCall = (b: number): boolean => {
    const last = lastOf(b)
    return last.flow === 'call' && isSlow(last.line)
  }
  /** A call is for a rare case when a branch of the same instruction of the PTX leads past it. */
  const jumpers = new Map<number, number[]>()
  firsts.forEach((_, b) => {
    const s = lastOf(b)
    if (s.flow === 'branch' && s.guarded)
      for (const n of [b + 1, s.target < 0 ? -1 : blockAt[s.target / instructionBytes]!])
        jumpers.set(n, [...(jumpers.get(n) ?? []), s.line])
  })
  const calls = firsts.map((_, b) => isCall(b) && (jumpers.get(b) ?? []).includes(lastOf(b).line))
  const next = firsts.map((_, b): number[] => {
    const last = lastOf(b)
    const fall =
      b + 1 < firsts.length && !(['branch', 'exit', 'back', 'table'].includes(last.flow) && !last.guarded)
        ? [b + 1]
        : []
    return last.flow === 'branch' && last.target >= 0
      ? [...new Set([...fall, blockAt[last.target / instructionBytes]!])]
      : fall
  })
  // Indirect jumps may lead anywhere that nothing else leads to.
  const led = new Set(next.flat())
  firsts.forEach((_, b) => {
    if (lastOf(b).flow === 'table') next[b]!.push(...firsts.map((_x, k) => k).filter((k) => k > b && !led.has(k)))
  })
  const order = reached(next, calls)
  const rank = new Int32Array(firsts.length).fill(-1)
  order.forEach((b, i) => {
    rank[b] = i
  })
  const preds = firsts.map((): number[] => [])
  for (const b of order) if (!calls[b]) for (const n of next[b]!) preds[n]!.push(b)
  const { loops, loopOf } = loopsOf(order, rank, preds)
  const callers = callersOf(
    firsts.map((_, b) =>
      isCall(b) && rank[b]! >= 0 && !calls[b] && lastOf(b).target >= 0
        ? blockAt[lastOf(b).target / instructionBytes]!
        : -1,
    ),
    next,
  )
  return {
    blocks: firsts.map((from, b) => ({
      from,
      to: firsts[b + 1] ?? count,
      loop: loopOf[b]!,
      cold: (rank[b]! < 0 && callers[b]!.length === 0) || calls[b]!,
      callers: callers[b]!,
    })),
    preds,
    next,
    loops,
    order,
    rank,
  }
}

/**
 * For each block the blocks that call the routine which it is in. `entries`: where each block's call leads, −1 for
 * none.
 */
function callersOf(entries: readonly number[], next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const callers = entries.map((): number[] => [])
  entries.forEach((entry, caller) => {
    if (entry < 0) return
    const todo = [entry],
      seen = new Set<number>()
    for (let b = todo.pop(); b !== undefined; b = todo.pop()) {
      if (seen.has(b)) continue
      seen.add(b)
      callers[b]!.push(caller)
      todo.push(...next[b]!)
    }
  })
  return callers
}

/** Reverse postorder of what is reached without the calls. */
function reached(next: readonly (readonly number[])[], calls: readonly boolean[]): number[] {
  const seen = new Uint8Array(next.length),
    post: number[] = []
  const stack = next.length > 0 ? [{ b: 0, i: 0 }] : []
  if (next.length > 0) seen[0] = 1
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    const n = calls[top.b] ? undefined : next[top.b]![top.i++]
    if (n === undefined) {
      post.push(top.b)
      stack.pop()
    } else if (!seen[n]) {
      seen[n] = 1
      stack.push({ b: n, i: 0 })
    }
  }
  return post.reverse()
}

/** Natural loops: what reaches a jump back without passing its target. */
function loopsOf(
  order: readonly number[],
  rank: Int32Array,
  preds: readonly (readonly number[])[],
): { loops: MachineLoop[]; loopOf: Int32Array } {
  const loopOf = new Int32Array(rank.length).fill(-1)
  const found: { header: number; parent: number; own: number[] }[] = []
  for (const header of order) {
    const tails = preds[header]!.filter((p) => rank[p]! >= rank[header]!)
    if (tails.length === 0) continue
    const id = found.length
    found.push({ header, parent: loopOf[header]!, own: [] })
    const inside = new Set([header])
    const todo = [...tails]
    for (let b = todo.pop(); b !== undefined; b = todo.pop()) {
      if (inside.has(b) || rank[b]! < rank[header]!) continue
      inside.add(b)
      todo.push(...preds[b]!)
    }
    for (const b of inside) loopOf[b] = id
  }
  order.forEach((b) => {
    if (loopOf[b]! >= 0) found[loopOf[b]!]!.own.push(b)
  })
  return { loops: found, loopOf }
}
