// In: a flat body with its graph, and the machine code that the assembler made of it. Out: what each block of the PTX
// costs per execution, in machine instructions, and which of its branches are branches of the machine. The one idea:
// PTX says how often a block runs, machine code what a run of it costs; every block of machine code runs as often as
// the block of PTX that its instructions with effects come from (they are not moved across branches), divided by its
// copies where a loop was unrolled. Code that only a rare case reaches (slow paths of divisions, warps whose lanes have
// parted) counts nothing.
import type { InstructionClass } from '../../../ir/index.ts'
import type { Graph } from '../control-flow/flow-graph.ts'
import type { FlatBody } from '../control-flow/inlining.ts'
import type { Counts } from '../control-flow/predication.ts'
import type { MachineBlock } from './blocks.ts'
import type { MachineFunction, MachineInstruction } from './code.ts'
import type { MachineCosts, Sides, LoopStage } from './costs.ts'
import { addCount, effects, isEffect, Origins } from './origins.ts'

export function machineCosts(body: FlatBody, graph: Graph, code: MachineFunction): MachineCosts {
  return new Rates(body, graph, code).run()
}

const jumps: ReadonlySet<MachineInstruction['flow']> = new Set(['branch', 'apart', 'call', 'back'])

interface Spread {
  readonly own: Map<number, Counts>
  readonly moved: Map<number, Map<number, Counts>>
  readonly branches: Map<number, number>
  readonly inserted: Map<number, number>
  readonly entered: Map<number, Map<number, Counts>>
  readonly exits: Set<number>
}

interface Rate {
  /** Block of the PTX. */ readonly block: number
  readonly weight: number
}

class Rates extends Origins {
  private readonly stages = new Map<number, readonly LoopStage[]>()
  private readonly groups = new Map<number, Counts>()
  private readonly full = new Map<number, Counts>()
  /** For each loop of machine code that of the PTX. */
  private loops: readonly number[] = []
  /** Blocks of machine code that are stages. */
  private readonly staged = new Set<number>()

  run(): MachineCosts {
    for (const header of this.graph.parent.keys()) this.findStages(header)
    const loops = (this.loops = this.mapLoops())
    this.findGroups()
    this.machine.blocks.forEach((b, at) => {
      if (!b.cold && this.isForFullWarps(b)) this.forFullWarps(b, at)
    })
    const chosen = this.machine.blocks.map((b, i) =>
      b.cold || b.callers.length > 0 || this.staged.has(i) ? -1 : this.choose(b, i, loops),
    )
    const weights = this.weigh(chosen)
    const own = this.machine.blocks.map((_, i): Rate => ({ block: chosen[i]!, weight: weights[i]! }))
    return this.spread(
      own.map((r, i) =>
        this.machine.blocks[i]!.callers.length > 0 ? this.machine.blocks[i]!.callers.map((c) => own[c]!) : [r],
      ),
    )
  }

  /**
   * What stands between a place where groups of lanes part and the place where they meet again runs once for each
   * group.
   */
  private findGroups(): void {
    const { blocks } = this.machine
    blocks.forEach((b, at) => {
      const last = this.code.instructions[b.to - 1]!
      const i = last.flow === 'part' ? this.byLine.get(last.line) : undefined
      const end = blocks.findIndex((x, k) => k > at && this.code.instructions[x.from]!.flow === 'meet')
      if (!i || end < 0) return
      for (let k = at + 1; k <= end; k++) {
        this.staged.add(k)
        for (const s of this.instructionsOf(blocks[k]!)) for (const x of i) addCount(this.groups, x, s.class, 1)
      }
    })
  }

  /** Finds the copies of an innermost loop that is left where it jumps back, when each is one block of machine code. */
  private findStages(header: number): void {
    const { graph, machine } = this
    const inside = graph.order.filter((b) => graph.loopOf[b] === header)
    const exits = inside.filter((b) => graph.blocks[b]!.next.some((n) => graph.loopOf[n] !== header))
    const [latch] = exits
    if (
      latch === undefined ||
      exits.length > 1 ||
      !graph.blocks[latch]!.next.includes(header) ||
      [...graph.parent.values()].includes(header)
    )
      return
    const core = new Set(inside.filter((b) => graph.dominates(b, latch)))
    const all = machine.blocks.flatMap((b, at) => {
      if (b.cold || b.callers.length > 0 || this.isMeeting(at)) return []
      const copies = this.coreCopies(b, core)
      return copies > 0 ? [{ at, copies, repeats: machine.next[at]!.includes(at) }] : []
    })
    // What stands before a larger copy and runs once at most is for counts that the test does not stand.
    const found = all.filter((s, i) => s.repeats || !all.slice(i + 1).some((x) => x.copies > s.copies))
    if (
      found.length < 2 ||
      found.some(({ at }) =>
        machine.loops.some(
          (l) =>
            l.own.includes(at) &&
            l.own.length > 1 &&
            machine.blocks[at]!.loop === machine.loops.indexOf(l) &&
            this.closes(l.header) === header,
        ),
      )
    )
      return
    for (const { at } of all) this.staged.add(at)
    this.stages.set(
      header,
      found.map(
        ({ at, copies, repeats }): LoopStage => ({
          copies,
          repeats,
          meets: machine.next[at]!.some((n) => n !== at && this.isMeeting(n)),
          costs: this.costsOf(machine.blocks[at]!),
        }),
      ),
    )
  }

  /**
   * How many rounds of a loop a block of machine code makes: how often it has the effects of the blocks that every
   * round passes, or without any their instructions.
   */
  private coreCopies(b: MachineBlock, core: ReadonlySet<number>): number {
    const effectLines = new Map<number, number>(),
      lines = new Map<number, number>()
    let others = 0
    for (const s of this.instructionsOf(b)) {
      const i = this.origin(s)
      if (i < 0 || !core.has(this.blockOf[i]!)) {
        others++
        continue
      }
      const { name } = this.body.instructions[i]!.opcode
      if (name === 'bra') continue
      lines.set(s.line, (lines.get(s.line) ?? 0) + 1)
      if (isEffect(name, s) && !s.guarded) effectLines.set(s.line, (effectLines.get(s.line) ?? 0) + 1)
    }
    const all = [...core].reduce((n, c) => n + this.graph.blocks[c]!.to - this.graph.blocks[c]!.from, 0)
    const real = new Set(
      [...core]
        .flatMap((c) => this.body.instructions.slice(this.graph.blocks[c]!.from, this.graph.blocks[c]!.to))
        .filter((s) => effects.has(s.opcode.name) && s.opcode.mods[0] !== 'param')
        .map((s) => s.line),
    )
    if (real.size > 0) return effectLines.size * 2 > real.size ? mode(effectLines) : 0
    return lines.size * 2 > all && lines.size > others ? mode(lines) : 0
  }

  /** For each loop of the machine, the loop of the PTX (its header) whose rounds it makes; −1 when there is none. */
  private mapLoops(): readonly number[] {
    return this.machine.loops.map((l) => {
      const closed = this.closes(l.header)
      if (closed >= 0) return closed
      const sums = new Map<number, number>()
      for (const at of l.own)
        for (const [b, n] of this.votes(this.machine.blocks[at]!)) {
          const h = this.graph.loopOf[b]!
          if (h >= 0) sums.set(h, (sums.get(h) ?? 0) + n)
        }
      return best(sums)
    })
  }

  /**
   * Whether a block of the PTX can run as often as machine code in `loop`: it is in the loop that this one makes, and
   * in no deeper one that has code of its own.
   */
  private fits(b: number, loop: number, loops: readonly number[]): boolean {
    const header = loop < 0 ? -1 : loops[loop]!
    if (loop >= 0 && header < 0) return true
    const made = new Set(loops)
    let h = this.graph.loopOf[b]!
    while (h >= 0 && h !== header && !made.has(h)) h = this.graph.parent.get(h)!
    return h === header
  }

  private choose(b: MachineBlock, at: number, loops: readonly number[]): number {
    if (this.isMeeting(at)) return -2
    const votes = this.votes(b)
    const fitting = new Map([...votes].filter(([x]) => this.fits(x, b.loop, loops)))
    if (fitting.size > 0) return best(fitting)
    return -2
  }

  /**
   * The share of its block's executions that each block of machine code has: copies share them, and the loop with most
   * copies has all.
   */
  private weigh(chosen: number[]): Float64Array {
    const { blocks, order } = this.machine
    // What has no code of the PTX runs as often as what leads to it.
    for (const i of [...order].reverse()) if (chosen[i] === -2) chosen[i] = this.foresee(i, chosen)
    for (const i of order) if (chosen[i] === -2) chosen[i] = this.inherit(i, chosen)
    const groups = new Map<number, Map<number, number[]>>()
    chosen.forEach((b, i) => {
      if (b < 0) return
      const group = groups.get(b) ?? new Map<number, number[]>()
      const list = group.get(blocks[i]!.loop) ?? []
      list.push(i)
      group.set(blocks[i]!.loop, list)
      groups.set(b, group)
    })
    const weights = new Float64Array(blocks.length)
    for (const [block, group] of groups) {
      const sums = new Map(
        [...group].map(([loop, list]) => [
          loop,
          this.copies(
            list.map((i) => blocks[i]!),
            block,
            loop >= 0,
          ) + (loop < 0 ? 0 : 0.5),
        ]),
      )
      const main = best(sums)
      for (const i of group.get(main)!) weights[i] = 1 / Math.max(1, Math.floor(sums.get(main)!))
    }
    return weights
  }

  /** The rate of what follows, where nothing else leads there; of where lanes meet, in any case. */
  private foresee(i: number, chosen: readonly number[]): number {
    const [n, other] = this.machine.next[i]!
    const only = n !== undefined && other === undefined && (this.isMeeting(i) || this.machine.preds[n]!.length === 1)
    return only && chosen[n]! >= 0 && this.machine.blocks[n]!.loop === this.machine.blocks[i]!.loop ? chosen[n]! : -2
  }

  private inherit(i: number, chosen: readonly number[]): number {
    const from = this.machine.preds[i]!.find(
      (p) => chosen[p]! >= 0 && this.machine.blocks[p]!.loop === this.machine.blocks[i]!.loop,
    )
    return from === undefined ? -1 : chosen[from]!
  }

  /** How often the instructions of a block of the PTX stand in blocks of machine code. */
  private copies(list: readonly MachineBlock[], block: number, inLoop: boolean): number {
    const effectLines = new Map<number, number>(),
      lines = new Map<number, number>()
    for (const s of list.flatMap((b) => this.instructionsOf(b))) {
      const i = this.origin(s)
      if (i < 0 || this.blockOf[i] !== block) continue
      lines.set(s.line, (lines.get(s.line) ?? 0) + 1)
      if (isEffect(this.body.instructions[i]!.opcode.name, s))
        effectLines.set(s.line, (effectLines.get(s.line) ?? 0) + 1)
    }
    if (effectLines.size > 0) return inLoop ? mode(effectLines) : Math.min(...effectLines.values())
    // Without effects: what is computed once stands there once; in a loop most lines tell.
    return inLoop && lines.size > 0 ? mode(lines) : 1
  }

  /** `rates`: how often each block of machine code runs; the sum of several when it is called from several places. */
  private spread(rates: readonly (readonly Rate[])[]): MachineCosts {
    const own = new Map<number, Counts>(),
      moved = new Map<number, Map<number, Counts>>()
    const branches = new Map<number, number>(),
      inserted = new Map<number, number>(),
      sides = new Map<number, Sides>(),
      entered = new Map<number, Map<number, Counts>>(),
      exits = new Set<number>()
    this.machine.blocks.forEach((b, at) => {
      if (this.isMeeting(at) && !b.cold && !this.staged.has(at)) return this.meet(at, rates, moved, sides)
      for (const rate of rates[at]!) this.spreadBlock(b, rate, { own, moved, branches, inserted, entered, exits }, at)
    })
    return {
      own,
      moved: new Map([...moved].map(([p, list]) => [p, [...list].map(([from, counts]) => ({ from, counts }))])),
      branches,
      inserted,
      sides,
      stages: this.stages,
      entered: new Map([...entered].map(([h, list]) => [h, [...list].map(([from, counts]) => ({ from, counts }))])),
      exits,
      full: this.full,
      groups: this.groups,
    }
  }

  private spreadBlock(b: MachineBlock, { block, weight }: Rate, spread: Spread, at: number): void {
    const { own, moved, branches, inserted, entered, exits } = spread
    if (block < 0 || weight === 0) return
    const loop = this.unrolled(block, at)
    if (loop >= 0) {
      const list = entered.get(loop) ?? new Map<number, Counts>()
      for (const { from, counts } of this.costsOf(b))
        for (const [c, n] of Object.entries(counts)) addCount(list, from, c as InstructionClass, n) // keys are classes
      entered.set(loop, list)
      return
    }
    const places = this.placesOf(block)
    let last = this.graph.blocks[block]!.from
    for (const s of this.instructionsOf(b)) {
      const from = this.byLine.get(s.line) ?? []
      if (from.length > 0) last = from[0]!
      places.forEach((p, k) => {
        const mine = from.find((i) => this.blockOf[i] === p)
        if (mine !== undefined) addCount(own, mine, s.class, weight)
        else {
          const list = moved.get(p) ?? new Map<number, Counts>()
          addCount(list, from[k] ?? last, s.class, weight)
          moved.set(p, list)
        }
        if (s.flow === 'branch' && s.guarded) this.branch(s, p, weight, branches, inserted)
        else if (s.flow === 'exit' && s.guarded) for (const i of from) if (this.isBranch(i)) exits.add(this.blockOf[i]!)
        // Jumps that are always taken, calls and returns are branches, too, and never part a warp.
        if (jumps.has(s.flow) && !(s.flow === 'branch' && s.guarded)) inserted.set(p, (inserted.get(p) ?? 0) + weight)
      })
    }
  }

  /**
   * The outermost loop of the PTX around a block that machine code has without a loop, when the block is passed in
   * every round; −1 for none.
   */
  private unrolled(block: number, at: number): number {
    const { graph, machine } = this
    const mapped = new Set(this.loops)
    const context = machine.blocks[at]!.loop < 0 ? -1 : this.loops[machine.blocks[at]!.loop]!
    let outermost = -1
    for (let h = graph.loopOf[block]!; h >= 0 && h !== context && !mapped.has(h); h = graph.parent.get(h)!) {
      const tails = graph.preds[h]!.filter((p) => graph.rank[p]! >= graph.rank[h]!)
      if (!tails.every((t) => graph.dominates(block, t)) && outermost < 0) return -1
      outermost = h
    }
    return outermost
  }

  /** A block that sums over a whole warp before an atomic, which a branch of the same instruction leads past. */
  private isForFullWarps(b: MachineBlock): boolean {
    const list = this.instructionsOf(b)
    const [first] = list
    const i = first ? this.origin(first) : -1
    return (
      i >= 0 &&
      ['atom', 'red'].includes(this.body.instructions[i]!.opcode.name) &&
      list.every((s) => s.line === first!.line) &&
      list.some((s) => s.class === 'subgroup' && s.opcode !== 0x806) &&
      b.from > 0 &&
      this.code.instructions[b.from - 1]!.line === first!.line &&
      this.code.instructions[b.from - 1]!.flow === 'branch'
    )
  }

  private forFullWarps(b: MachineBlock, at: number): void {
    this.staged.add(at)
    for (const s of this.instructionsOf(b))
      for (const i of this.byLine.get(s.line) ?? []) addCount(this.full, i, s.class, 1)
  }

  /**
   * Lanes come to where they meet once for each way: counts on the sides of branches that lead there, or with the
   * blocks before.
   */
  private meet(
    at: number,
    rates: readonly (readonly Rate[])[],
    moved: Map<number, Map<number, Counts>>,
    sides: Map<number, Sides>,
  ): void {
    const preds = this.machine.preds[at]!
    const costs = this.costsOf(this.machine.blocks[at]!)
    for (const p of preds) {
      const last = this.code.instructions[this.machine.blocks[p]!.to - 1]!
      const jump = last.flow === 'branch' && last.guarded ? this.branchesAt(last) : []
      if (
        this.staged.has(p) ||
        (jump.length > 0 &&
          this.stages.has(this.graph.loopOf[this.blockOf[jump[0]!]!]!) &&
          preds.some((x) => this.staged.has(x)))
      )
        continue
      if (jump.length > 0) {
        for (const i of jump) {
          const b = this.blockOf[i]!
          const own = sides.get(b) ?? { taken: {}, other: {} }
          const side = own[this.sideOf(p, at, b, rates)]
          // keys are classes; every block has one rate at least
          for (const { counts } of costs)
            for (const [c, n] of Object.entries(counts))
              side[c as InstructionClass] = (side[c as InstructionClass] ?? 0) + n * rates[p]![0]!.weight
          sides.set(b, own)
        }
        continue
      }
      const { block, weight } = rates[p]![0]! // as above
      if (block < 0 || weight === 0) continue
      for (const place of this.placesOf(block)) {
        const list = moved.get(place) ?? new Map<number, Counts>()
        for (const { counts } of costs)
          for (const [c, n] of Object.entries(counts))
            addCount(list, this.graph.blocks[place]!.from, c as InstructionClass, n * weight) // keys are classes
        moved.set(place, list)
      }
    }
  }

  /** Which side of a branch of the PTX the way from one block of machine code to another is. */
  private sideOf(from: number, to: number, b: number, rates: readonly (readonly Rate[])[]): keyof Sides {
    const { graph } = this
    const [taken, other] = graph.blocks[b]!.next
    const leads = (x: number | undefined, n: number): boolean => {
      const c = x === undefined ? -1 : rates[x]![0]!.block
      return c >= 0 && graph.dominates(n, c)
    }
    if (taken === undefined || other === undefined) return 'other'
    const away = this.machine.next[from]!.find((n) => n !== to)
    if (leads(away, taken) !== leads(away, other)) return leads(away, taken) ? 'other' : 'taken'
    if (leads(to, taken) !== leads(to, other)) return leads(to, taken) ? 'taken' : 'other'
    return graph.rank[taken]! > graph.rank[other]! ? 'taken' : 'other'
  }

  /** A branch of the machine that comes from one of the PTX stands for it, wherever it runs. */
  private branch(
    s: MachineInstruction,
    place: number,
    weight: number,
    branches: Map<number, number>,
    inserted: Map<number, number>,
  ): void {
    const from = this.branchesAt(s)
    const mine = from.find((i) => this.blockOf[i] === place) ?? from[0]
    if (mine !== undefined && this.stages.has(this.graph.loopOf[this.blockOf[mine]!]!)) return
    const [map, key] = mine === undefined ? [inserted, place] : [branches, this.blockOf[mine]!]
    map.set(key, (map.get(key) ?? 0) + weight)
  }
}

/** The key with the greatest value; −1 of none. */
function best(map: ReadonlyMap<number, number>): number {
  let key = -1,
    most = -Infinity
  for (const [k, n] of map)
    if (n > most) {
      key = k
      most = n
    }
  return key
}

/** The number that most lines have; the greater one of equals. */
function mode(lines: ReadonlyMap<number, number>): number {
  const times = new Map<number, number>()
  for (const n of lines.values()) times.set(n, (times.get(n) ?? 0) + 1)
  let number = 1,
    most = 0
  for (const [n, t] of times)
    if (t > most || (t === most && n > number)) {
      number = n
      most = t
    }
  return number
}
