// In: flat instructions. Out: basic blocks, their dominators and loops. The one idea: everything that structuring needs
// to know about control flow, computed once; a loop that can be entered in two places (irreducible) is refused by its
// line.
import { fail } from '../../../base/index.ts'
import { ptxSpan, type FlatBody } from './inlining.ts'
import type { Instruction, PtxModule } from '../text/syntax.ts'

export interface BasicBlock {
  /** Instructions `from` to `to`, the last excluded; the terminator is none of them. */
  readonly from: number
  readonly to: number
  /** The jump at the end: its instruction, or null where control falls through or leaves the kernel. */
  readonly jump: Instruction | null
  /** `branch`: taken side first, then the other; `switch`: by index. */
  readonly kind: 'goto' | 'branch' | 'switch' | 'leave'
  readonly next: readonly number[]
}

export interface Graph {
  readonly blocks: readonly BasicBlock[]
  /** Blocks that can be reached, in reverse postorder; and each one's position, −1 for others. */
  readonly order: readonly number[]
  readonly rank: readonly number[]
  readonly idom: readonly number[]
  readonly preds: readonly (readonly number[])[]
  /** Header of the innermost loop that holds a block (a header is in its own), −1 for none. */
  readonly loopOf: readonly number[]
  /** By header: the header of the loop around it, −1 for none. */
  readonly parent: ReadonlyMap<number, number>
  dominates(a: number, b: number): boolean
  inLoop(block: number, header: number): boolean
}

const most = { blocks: 50_000, work: 2e7 } as const

export function graphOf(module: PtxModule, body: FlatBody): Graph {
  const blocks = blocksOf(module, body)
  if (blocks.length > most.blocks)
    fail(
      'ptx.size',
      `the kernel has ${blocks.length} basic blocks; at most ${most.blocks} are read`,
      ptxSpan(module, 1),
    )
  const order = reversePostorder(blocks)
  const rank = blocks.map(() => -1)
  order.forEach((b, i) => {
    rank[b] = i
  })
  const preds: number[][] = blocks.map(() => [])
  for (const b of order) for (const n of blocks[b]!.next) preds[n]!.push(b)
  const idom = dominators(order, rank, preds)
  const dominates = dominance(order, idom)
  const loops = findLoops(module, body, blocks, order, rank, preds, dominates)
  const inLoop = (block: number, header: number): boolean => {
    for (let h = loops.loopOf[block]!; h >= 0; h = loops.parent.get(h)!) if (h === header) return true
    return false
  }
  return { blocks, order, rank, idom, preds, ...loops, dominates, inLoop }
}

const leaves = new Set(['ret', 'exit', 'trap'])

function blocksOf(module: PtxModule, body: FlatBody): BasicBlock[] {
  const { instructions, labels } = body
  const n = instructions.length
  const starts = new Uint8Array(n + 1)
  starts[0] = 1
  for (const at of labels.values()) starts[at] = 1
  instructions.forEach((s, i) => {
    if (s.opcode.name === 'bra' || s.opcode.name === 'brx' || (leaves.has(s.opcode.name) && !s.guard)) starts[i + 1] = 1
  })
  const firsts: number[] = []
  const blockAt = new Int32Array(n + 1).fill(-1)
  for (let i = 0; i <= n; i++)
    if (starts[i] && (i < n || labelledEnd(labels, n))) {
      blockAt[i] = firsts.length
      firsts.push(i)
    }
  const target = (s: Instruction, name: string): number => {
    const at = labels.get(name)
    return at === undefined
      ? fail('ptx.name', `there is no label '${name.slice(0, 80)}'`, ptxSpan(module, s.line))
      : blockAt[at]!
  }
  return firsts.map((from, b): BasicBlock => {
    const end = firsts[b + 1] ?? n
    const last = end > from ? instructions[end - 1]! : null
    const fall = b + 1 < firsts.length ? [b + 1] : []
    const name = last?.opcode.name
    if (last && name === 'bra') {
      const to = target(last, nameOf(module, last, 0))
      if (!last.guard) return { from, to: end - 1, jump: last, kind: 'goto', next: [to] }
      return fall[0] === undefined
        ? { from, to: end - 1, jump: last, kind: 'branch', next: [to, leaveBlock(module, last)] }
        : {
            from,
            to: end - 1,
            jump: last,
            kind: fall[0] === to ? 'goto' : 'branch',
            next: fall[0] === to ? [to] : [to, fall[0]],
          }
    }
    if (last && name === 'brx') {
      const list =
        body.targets.get(nameOf(module, last, 1)) ??
        fail('ptx.name', `there is no list '${nameOf(module, last, 1)}' of branch targets`, ptxSpan(module, last.line))
      if (last.guard)
        fail('ptx.unsupported', 'brx.idx under a predicate cannot be analysed', ptxSpan(module, last.line))
      return { from, to: end - 1, jump: last, kind: 'switch', next: list.map((l) => target(last, l)) }
    }
    if (last && leaves.has(name!) && !last.guard) return { from, to: end - 1, jump: last, kind: 'leave', next: [] }
    return { from, to: end, jump: null, kind: fall.length > 0 ? 'goto' : 'leave', next: fall }
  })
}

const labelledEnd = (labels: ReadonlyMap<string, number>, n: number): boolean => {
  for (const at of labels.values()) if (at === n) return true
  return false
}
const leaveBlock = (module: PtxModule, s: Instruction): never =>
  fail('ptx.syntax', 'control runs over the end of the function', ptxSpan(module, s.line))

function nameOf(module: PtxModule, s: Instruction, i: number): string {
  const o = s.operands[i]
  return o?.kind === 'name'
    ? o.name
    : fail(
        'ptx.unsupported',
        `${s.opcode.text} to an address that is not a label cannot be analysed`,
        ptxSpan(module, s.line),
      )
}

function reversePostorder(blocks: readonly BasicBlock[]): number[] {
  const seen = new Uint8Array(blocks.length)
  const post: number[] = []
  const stack: { b: number; i: number }[] = blocks.length > 0 ? [{ b: 0, i: 0 }] : []
  if (blocks.length > 0) seen[0] = 1
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    // The fall-through side first, so that it comes after the taken side in reverse postorder.
    const next = blocks[top.b]!.next[top.i++]
    if (next === undefined) {
      post.push(top.b)
      stack.pop()
    } else if (!seen[next]) {
      seen[next] = 1
      stack.push({ b: next, i: 0 })
    }
  }
  return post.reverse()
}

/** Cooper, Harvey and Kennedy's iteration ("A simple, fast dominance algorithm"). */
function dominators(
  order: readonly number[],
  rank: readonly number[],
  preds: readonly (readonly number[])[],
): number[] {
  const idom = rank.map(() => -1)
  if (order.length === 0) return idom
  idom[order[0]!] = order[0]!
  const meet = (a: number, b: number): number => {
    let [x, y] = [a, b]
    while (x !== y) {
      while (rank[x]! > rank[y]!) x = idom[x]!
      while (rank[y]! > rank[x]!) y = idom[y]!
    }
    return x
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const b of order.slice(1)) {
      let best = -1
      for (const p of preds[b]!) if (idom[p]! >= 0) best = best < 0 ? p : meet(best, p)
      if (best !== idom[b]) {
        idom[b] = best
        changed = true
      }
    }
  }
  return idom
}

/** Whether one block dominates another, by the times a walk of the dominator tree enters and leaves them. */
function dominance(order: readonly number[], idom: readonly number[]): (a: number, b: number) => boolean {
  const children: number[][] = idom.map(() => [])
  for (const b of order) if (idom[b] !== b) children[idom[b]!]!.push(b)
  const enter = new Int32Array(idom.length),
    leave = new Int32Array(idom.length)
  let time = 0
  const stack: { b: number; i: number }[] = order.length > 0 ? [{ b: order[0]!, i: 0 }] : []
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    if (top.i === 0) enter[top.b] = ++time
    const child = children[top.b]![top.i++]
    if (child === undefined) {
      leave[top.b] = ++time
      stack.pop()
    } else stack.push({ b: child, i: 0 })
  }
  return (a, b) => enter[a]! <= enter[b]! && leave[b]! <= leave[a]!
}

function findLoops(
  module: PtxModule,
  body: FlatBody,
  blocks: readonly BasicBlock[],
  order: readonly number[],
  rank: readonly number[],
  preds: readonly (readonly number[])[],
  dominates: Graph['dominates'],
): Pick<Graph, 'loopOf' | 'parent'> {
  const loopOf = rank.map(() => -1)
  const parent = new Map<number, number>()
  let work = 0
  for (const header of order) {
    const tails = preds[header]!.filter((p) => rank[p]! >= rank[header]!)
    if (tails.length === 0) continue
    const wild = tails.find((t) => !dominates(header, t))
    if (wild !== undefined) irreducible(module, body, blocks, wild, header)
    parent.set(header, loopOf[header]!)
    const inside = new Set([header])
    const todo = tails.slice()
    while (todo.length > 0) {
      const b = todo.pop()!
      if (inside.has(b)) continue
      inside.add(b)
      for (const p of preds[b]!) todo.push(p)
    }
    work += inside.size
    if (work > most.work) fail('ptx.size', 'the loops of the kernel nest too deep to be analysed', ptxSpan(module, 1))
    for (const b of inside) loopOf[b] = header
  }
  return { loopOf, parent }
}

function irreducible(
  module: PtxModule,
  body: FlatBody,
  blocks: readonly BasicBlock[],
  from: number,
  to: number,
): never {
  const line = (b: number): number =>
    body.instructions[Math.min(blocks[b]!.from, body.instructions.length - 1)]?.line ?? 1
  return fail(
    'ptx.irreducible',
    `the loop at line ${line(to)} is entered in more than one place (irreducible control flow), which cannot ` +
      `be analysed`,
    ptxSpan(module, blocks[from]!.jump?.line ?? line(from)),
  )
}
