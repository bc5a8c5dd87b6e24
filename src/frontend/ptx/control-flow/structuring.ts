// In: the graph of blocks and a way to lower one block. Out: structured statements. The one idea: blocks are written
// along the dominator tree; a block that several paths reach stands behind the structure that holds them all, where the
// warp's lanes meet again. Lanes that are on their way to a later block pass over it by a flag, which is left out where
// no others can be there. Flags and the tests on them are free: they are not instructions of the program.
import { fail, InternalError, type Span } from '../../../base/index.ts'
import { constOf, listsOf, type Operand, type Reg, type Stmt } from '../../../ir/index.ts'
import type { Graph } from './flow-graph.ts'
import type { Rounds } from '../machine/rounds.ts'
import { predicated, type Counts } from './predication.ts'

/**
 * A branch as machine code has it: what it counts as, how many branches of the machine it is, and what lanes of each
 * side execute besides.
 */
export interface MeasuredBranch {
  readonly counts: Counts
  readonly branches: number
  readonly taken: readonly Stmt[]
  readonly other: readonly Stmt[] /** Whether it is an exit under a predicate, which is counted with the block. */
  readonly exits: boolean
}

export interface Lowerer {
  /** Statements of a block without its jump. */
  block(b: number): Stmt[]
  /** The condition of a block's branch, and whether it is negated. */
  condition(b: number): { readonly value: Operand; readonly negated: boolean; readonly before: readonly Stmt[] }
  /** The index of a switch, u32. */
  selector(b: number): Operand
  /** Statements that count a jump that is always taken, or a jump by a table. */
  jumped(b: number): Stmt[]
  /** Statements that leave the kernel, counted as the instruction that does. */
  leave(b: number): Stmt[]
  /**
   * What machine code says that a branch counts as, and how many branches of the machine it is; null when there is
   * none.
   */
  measuredBranch(b: number): MeasuredBranch | null
  /** What counts the rounds of a loop that machine code has in several copies; null for other loops. */
  rounds(header: number): Rounds | null
  branchAt(b: number): Span | undefined
  /** Machine instructions that the branch stands for. */
  branchCost(b: number): number
  /** Whether the lanes of a warp may disagree at the branch. */
  splits(b: number): boolean
  flag(): Reg
  compare(value: Operand, n: number): { readonly stmt: Stmt; readonly result: Reg }
}

/** Structuring is recursive: a deeper graph would overflow the stack. */
const mostDepth = 400
const one = constOf('bool', 1)
const zero = constOf('bool', 0)

export function structure(g: Graph, lowerer: Lowerer): Stmt[] {
  if (g.order.length === 0) return []
  return tidyJumps(new Structurer(g, lowerer).run(), false)
}

interface Sequence {
  readonly out: Stmt[]
  readonly pending: Set<number>
}

class Structurer {
  private readonly g: Graph
  private readonly l: Lowerer
  /** Blocks that stand behind a block's own structure, or behind a loop. */
  private readonly merges = new Map<number, number[]>()
  private readonly after = new Map<number, number[]>()
  /** The loop in whose body a placed block stands, −1 for none; absent: written where it is jumped to. */
  private readonly context = new Map<number, number>()
  private readonly exits = new Map<number, Set<number>>()
  private readonly flags = new Map<number, Reg>()
  private readonly tested = new Set<number>()
  private readonly again = new Map<number, Reg>()
  private readonly testedAgain = new Set<number>()
  /** What is counted behind a loop, also where lanes leave the kernel from inside. */
  private readonly behind = new Map<number, readonly Stmt[]>()
  private depth = 0
  private readonly written = new Set<number>()

  constructor(g: Graph, l: Lowerer) {
    this.g = g
    this.l = l
    for (const b of g.order.slice(1)) this.place(b)
  }

  run(): Stmt[] {
    const { out } = this.sequence(this.g.order[0]!, -1)
    if (this.written.size !== this.g.order.length)
      throw new InternalError('frontend/ptx', `${this.written.size} of ${this.g.order.length} blocks were written`)
    const unused = new Set(
      [...this.flags]
        .filter(([b]) => !this.tested.has(b))
        .map(([, r]) => r.id)
        .concat([...this.again].filter(([b]) => !this.testedAgain.has(b)).map(([, r]) => r.id)),
    )
    return withoutFlags(out, unused)
  }

  /** The loop whose body a block stands in as seen from outside: of a header, the loop around its own. */
  private outer(b: number): number {
    return this.g.parent.has(b) ? this.g.parent.get(b)! : this.g.loopOf[b]!
  }

  private place(b: number): void {
    const { g } = this
    const forward = g.preds[b]!.filter((p) => g.rank[p]! < g.rank[b]!)
    // A block that only leaves the kernel is written wherever something jumps to it, as the machine exits there.
    if (g.blocks[b]!.kind === 'leave' && g.blocks[b]!.from === g.blocks[b]!.to) return
    if (forward.length === 1 && g.loopOf[forward[0]!] === this.outer(b)) return
    let last = -1
    let h = g.loopOf[g.idom[b]!]!
    for (; h >= 0 && !g.inLoop(b, h); h = g.parent.get(h)!) last = h
    const [map, key] = last >= 0 ? [this.after, last] : [this.merges, g.idom[b]!]
    const list = map.get(key)
    if (list) list.push(b)
    else map.set(key, [b])
    this.context.set(b, h)
  }

  private flagOf(b: number): Reg {
    let r = this.flags.get(b)
    if (!r) {
      r = this.l.flag()
      this.flags.set(b, r)
    }
    return r
  }
  private againOf(header: number): Reg {
    let r = this.again.get(header)
    if (!r) {
      r = this.l.flag()
      this.again.set(header, r)
    }
    return r
  }

  /** Everything from `start` on up to blocks placed further out. `loop` is the innermost loop under way. */
  private sequence(start: number, loop: number): Sequence {
    if (++this.depth > mostDepth)
      fail('ptx.size', `the control flow nests deeper than ${mostDepth}`, this.l.branchAt(start))
    const out: Stmt[] = []
    const pending = new Set<number>()
    const owed: number[] = []
    for (let current: number | null = start; current !== null; ) {
      const tail: number | null =
        this.g.parent.has(current) && current !== loop
          ? this.loop(current, loop, out, pending, owed)
          : this.node(current, loop, out, pending, owed)
      current = tail ?? this.nextOwed(owed, loop, out, pending)
    }
    this.depth--
    return { out, pending }
  }

  /** The next placed block: as the rest of this sequence when every lane here goes there, else under its flag. */
  private nextOwed(owed: number[], loop: number, out: Stmt[], pending: Set<number>): number | null {
    for (let b = owed.pop(); b !== undefined; b = owed.pop()) {
      if (!pending.delete(b)) continue
      if (pending.size === 0) return b
      this.tested.add(b)
      const inner = this.sequence(b, loop)
      for (const p of inner.pending) pending.add(p)
      out.push({ kind: 'if', condition: this.flagOf(b), then: inner.out, else: [], free: true })
    }
    return null
  }

  private owe(list: readonly number[] | undefined, out: Stmt[], owed: number[]): void {
    if (!list) return
    const sorted = [...list].sort((a, b) => this.g.rank[b]! - this.g.rank[a]!)
    for (const b of sorted) {
      out.push(set(this.flagOf(b), zero))
      owed.push(b)
    }
  }

  private loop(header: number, around: number, out: Stmt[], pending: Set<number>, owed: number[]): number | null {
    this.owe(this.after.get(header), out, owed)
    this.exits.set(header, new Set())
    const rounds = this.l.rounds(header)
    if (rounds) this.behind.set(header, rounds.after)
    const body = this.sequence(header, header)
    const reset = this.again.has(header) ? [set(this.againOf(header), zero)] : []
    if (rounds) out.push(...rounds.before)
    out.push({ kind: 'loop', body: [...reset, ...(rounds?.each ?? []), ...body.out], continuing: [], free: true })
    if (rounds) out.push(...rounds.after)
    const exits = this.exits.get(header)!
    const leaving = [...exits].filter((b) => this.isHeaderAround(b, header) || this.context.get(b) !== around)
    for (const b of leaving) {
      const jump = this.leaveLoop(b, around)
      if (exits.size === 1) {
        out.push(...jump)
        return null
      }
      const back = this.isHeaderAround(b, header)
      const list = back ? this.testedAgain : this.tested
      list.add(b)
      out.push({ kind: 'if', condition: back ? this.againOf(b) : this.flagOf(b), then: jump, else: [], free: true })
    }
    for (const b of exits) if (!leaving.includes(b)) pending.add(b)
    return null
  }

  private isHeaderAround(b: number, header: number): boolean {
    return this.g.parent.has(b) && b !== header && this.g.inLoop(header, b) && !this.isForward(b, header)
  }
  /** A header that dominates what jumps to it is gone back to. */
  private isForward(b: number, from: number): boolean {
    return !this.g.dominates(b, from)
  }

  /** The way on from inside loop `around` towards a block placed further out, or the header of a loop further out. */
  private leaveLoop(b: number, around: number): Stmt[] {
    if (b === around) return [{ kind: 'continue', free: true }]
    this.exits.get(around)!.add(b)
    return [{ kind: 'break', free: true }]
  }

  /** One block and its jump. Gives the block that follows directly, or null. */
  private node(b: number, loop: number, out: Stmt[], pending: Set<number>, owed: number[]): number | null {
    this.owe(this.merges.get(b), out, owed)
    for (const s of this.l.block(b)) out.push(s)
    this.written.add(b)
    const { kind, next } = this.g.blocks[b]!
    switch (kind) {
      case 'leave':
        out.push(...structuredClone(this.behind.get(loop) ?? []), ...this.l.leave(b))
        return null
      case 'goto':
        out.push(...this.l.jumped(b))
        return this.jump(b, next[0]!, loop, out, pending)
      case 'branch':
        return this.branch(b, next[0]!, next[1]!, loop, out, pending)
      case 'switch':
        return this.choose(b, loop, out, pending)
    }
  }

  /** Goes from `b` to `t`: gives `t` when it is to be written right here. */
  private jump(b: number, t: number, loop: number, out: Stmt[], pending: Set<number>): number | null {
    const { g } = this
    if (g.rank[t]! <= g.rank[b]!) {
      if (t === loop) {
        out.push({ kind: 'continue', free: true })
        return null
      }
      out.push(set(this.againOf(t), one))
      out.push(...this.leaveLoop(t, loop))
      return null
    }
    const context = this.context.get(t)
    if (context === undefined) return t
    out.push(set(this.flagOf(t), one))
    if (context === loop) pending.add(t)
    else out.push(...this.leaveLoop(t, loop))
    return null
  }

  private arm(b: number, t: number, loop: number): Sequence {
    const out: Stmt[] = []
    const pending = new Set<number>()
    const inline = this.jump(b, t, loop, out, pending)
    return inline === null ? { out, pending } : this.sequence(inline, loop)
  }

  /** Where one side never comes back, the other needs no nesting. */
  private branch(
    b: number,
    taken: number,
    other: number,
    loop: number,
    out: Stmt[],
    pending: Set<number>,
  ): number | null {
    const { value, negated, before } = this.l.condition(b)
    const at = this.l.branchAt(b)
    out.push(...before)
    const simple = (t: number): boolean =>
      this.context.has(t) || this.g.rank[t]! <= this.g.rank[b]! || this.g.blocks[t]!.next.length === 0
    const first = simple(taken) || !simple(other) ? taken : other
    const arm = this.arm(b, first, loop)
    const isTaken = first === taken
    const rest = isTaken ? other : taken
    const measured = this.l.measuredBranch(b)
    const write = (mine: Stmt[], theirs: Stmt[]): void => {
      if (measured) {
        const [ours, others] = isTaken ? [measured.taken, measured.other] : [measured.other, measured.taken]
        const left = (list: Stmt[]): Stmt[] =>
          measured.exits && list.length === 1 && list[0]!.kind === 'return' ? [{ ...list[0]!, counts: {} }] : list
        const [a, z] = [
          [...ours, ...left(mine)],
          [...others, ...left(theirs)],
        ]
        out.push({
          kind: 'if',
          condition: value,
          then: isTaken !== negated ? a : z,
          else: isTaken !== negated ? z : a,
          ...(at && { at }),
          ...marked(measured),
        })
        return
      }
      const cost = this.l.branchCost(b) + (theirs.length > 0 || mine.length > 0 ? this.meeting(b, mine, theirs) : 0)
      out.push(
        predicated({
          kind: 'if',
          condition: value,
          then: isTaken !== negated ? mine : theirs,
          else: isTaken !== negated ? theirs : mine,
          ...(at && { at }),
          ...(cost !== 1 && { counts: { control: cost } }),
        }),
      )
    }
    if (arm.pending.size === 0) {
      write(arm.out, [])
      return this.jump(b, rest, loop, out, pending)
    }
    const second = this.arm(b, rest, loop)
    write(arm.out, second.out)
    for (const p of arm.pending) pending.add(p)
    for (const p of second.pending) pending.add(p)
    return null
  }

  /** A branch that splits a warp marks where its lanes meet again, and they wait there: two instructions. */
  private meeting(b: number, mine: readonly Stmt[], theirs: readonly Stmt[]): number {
    const leaves = [mine, theirs].some((l) => ['break', 'continue', 'return'].includes(l[l.length - 1]?.kind ?? ''))
    return !leaves && this.l.splits(b) ? 2 : 0
  }

  private choose(b: number, loop: number, out: Stmt[], pending: Set<number>): number | null {
    const { next } = this.g.blocks[b]!
    if (next.length > 150)
      fail('ptx.size', `a jump table with ${next.length} places; at most 150 are read`, this.l.branchAt(b))
    const index = this.l.selector(b)
    out.push(...this.l.jumped(b))
    const at = this.l.branchAt(b)
    let list = out
    next.forEach((t, i) => {
      const arm = this.arm(b, t, loop)
      for (const p of arm.pending) pending.add(p)
      if (i === next.length - 1) {
        for (const s of arm.out) list.push(s)
        return
      }
      const { stmt, result } = this.l.compare(index, i)
      const rest: Stmt[] = []
      list.push(stmt, {
        kind: 'if',
        condition: result,
        then: arm.out,
        else: rest,
        ...(i === 0 ? at && { at } : { free: true }),
      })
      list = rest
    })
    return null
  }
}

/** A branch as machine code has it: under predicates it is none. */
const marked = ({ counts, branches }: MeasuredBranch): Pick<Stmt, 'counts' | 'branches' | 'free'> =>
  branches > 0 ? { counts, ...(branches !== 1 && { branches }) } : { counts, free: true }

const set = (dst: Reg, value: Operand): Stmt => ({ kind: 'op', op: 'copy', dst, args: [value], free: true })

function withoutFlags(list: readonly Stmt[], unused: ReadonlySet<number>): Stmt[] {
  return list
    .filter((s) => !(s.kind === 'op' && s.op === 'copy' && unused.has(s.dst.id)))
    .map((s) => {
      if (s.kind === 'if') return { ...s, then: withoutFlags(s.then, unused), else: withoutFlags(s.else, unused) }
      return s.kind === 'loop' ? { ...s, body: withoutFlags(s.body, unused), continuing: [] } : s
    })
}

/** Drops what follows a jump in a list, `continue` at the end of a loop's body, and free tests of nothing. */
function tidyJumps(list: readonly Stmt[], tail: boolean): Stmt[] {
  const end = list.findIndex((s) => s.kind === 'break' || s.kind === 'continue' || s.kind === 'return')
  const used = bottomTest(end < 0 ? list : list.slice(0, end + 1), tail)
  const out = used.map((s, i): Stmt => {
    const last = tail && i === used.length - 1
    if (s.kind === 'if') return { ...s, then: tidyJumps(s.then, last), else: tidyJumps(s.else, last) }
    return s.kind === 'loop' ? { ...s, body: tidyJumps(s.body, true), continuing: [] } : s
  })
  if (tail && out[out.length - 1]?.kind === 'continue') out.pop()
  return out.filter((s) => !(s.kind === 'if' && s.free && !s.counts && listsOf(s).every((l) => l.length === 0)))
}

/** At the end of a loop's body `if (c) { continue }; …; break` is `if (c) {} else { …; break }`. */
function bottomTest(list: readonly Stmt[], tail: boolean): readonly Stmt[] {
  if (!tail || list[list.length - 1]?.kind !== 'break') return list
  for (let i = list.length - 2; i >= 0 && i >= list.length - 6; i--) {
    const s = list[i]!
    if (s.kind !== 'if') continue
    const rest = list.slice(i + 1)
    if (onlyContinues(s.then) && s.else.length === 0) return [...list.slice(0, i), { ...s, then: [], else: rest }]
    return onlyContinues(s.else) && s.then.length === 0 ? [...list.slice(0, i), { ...s, then: rest, else: [] }] : list
  }
  return list
}

const onlyContinues = (list: readonly Stmt[]): boolean => list.length === 1 && list[0]!.kind === 'continue'
