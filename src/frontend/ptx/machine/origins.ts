// In: a flat body with its graph, and the machine code that the assembler made of it. Out: where pieces of machine code
// come from: instructions by their lines, blocks by votes of their instructions, loops by their jumps back.
import type { InstructionClass } from '../../../ir/index.ts'
import type { Graph } from '../control-flow/flow-graph.ts'
import type { FlatBody } from '../control-flow/inlining.ts'
import type { Counts } from '../control-flow/predication.ts'
import { basicBlocksOf, type MachineBlock, type MachineGraph } from './blocks.ts'
import type { MachineFunction, MachineInstruction } from './code.ts'
import type { LoopStage } from './costs.ts'

/** Instructions that the assembler does not move across a branch, with what they become. */
export const effects: ReadonlyMap<string, InstructionClass> = new Map([
  ...['ld', 'tex', 'tld4', 'suld', 'ldmatrix', 'cp'].map((n): [string, InstructionClass] => [n, 'load']),
  ...['st', 'sust', 'stmatrix'].map((n): [string, InstructionClass] => [n, 'store']),
  ...['atom', 'red', 'sured'].map((n): [string, InstructionClass] => [n, 'atomic']),
  ...['bar', 'barrier'].map((n): [string, InstructionClass] => [n, 'barrier']),
  ...['shfl', 'vote', 'match', 'redux'].map((n): [string, InstructionClass] => [n, 'subgroup']),
])

/** Whether a machine instruction does what an instruction of the PTX is for, and is not one of those around it. */
export const isEffect = (name: string, s: MachineInstruction): boolean => effects.get(name) === s.class

export function addCount(map: Map<number, Counts>, key: number, what: InstructionClass, n: number): void {
  const counts = map.get(key) ?? {}
  counts[what] = (counts[what] ?? 0) + n
  map.set(key, counts)
}

export class Origins {
  protected readonly body: FlatBody
  protected readonly graph: Graph
  protected readonly code: MachineFunction
  protected readonly machine: MachineGraph
  /** Instructions of the body by line of the PTX: several where a function was put in place more than once. */
  protected readonly byLine = new Map<number, number[]>()
  protected readonly blockOf: Int32Array

  constructor(body: FlatBody, graph: Graph, code: MachineFunction) {
    this.body = body
    this.graph = graph
    this.code = code
    this.machine = basicBlocksOf(code, (line) => this.isSlow(line))
    this.blockOf = new Int32Array(body.instructions.length).fill(-1)
    for (const b of graph.order) {
      const { from, to, jump } = graph.blocks[b]!
      for (let i = from; i < to + (jump ? 1 : 0); i++) {
        this.blockOf[i] = b
        const { line } = body.instructions[i]!
        const list = this.byLine.get(line)
        if (list) list.push(i)
        else this.byLine.set(line, [i])
      }
    }
  }

  protected origin(s: MachineInstruction): number {
    return this.byLine.get(s.line)?.[0] ?? -1
  }
  private isSlow(line: number): boolean {
    const i = this.byLine.get(line)?.[0]
    return i === undefined || this.body.instructions[i]!.opcode.name !== 'call'
  }

  protected instructionsOf(b: MachineBlock): readonly MachineInstruction[] {
    return this.code.instructions.slice(b.from, b.to)
  }

  protected costsOf(b: MachineBlock): LoopStage['costs'] {
    const list = new Map<number, Counts>()
    let last = -1
    for (const s of this.instructionsOf(b)) {
      const i = this.origin(s)
      if (i >= 0) last = i
      addCount(list, last < 0 ? 0 : last, s.class, 1)
    }
    return [...list].map(([from, counts]) => ({ from, counts }))
  }

  /** Votes of a block's instructions for the block of the PTX that runs as often: those with effects count most. */
  protected votes(b: MachineBlock): Map<number, number> {
    const votes = new Map<number, number>()
    for (const s of this.instructionsOf(b)) {
      const i = this.origin(s)
      if (i < 0 || (s.guarded && s.flow === 'on')) continue
      const { name } = this.body.instructions[i]!.opcode
      const isJump = s.flow === 'branch' || s.flow === 'exit'
      // Copies that a way into another block needs have the line of the jump.
      if (!isJump && (name === 'bra' || name === 'ret')) continue
      const weight = isJump
        ? name === 'bra' || name === 'ret' || name === 'exit'
          ? 50
          : 1
        : isEffect(name, s)
          ? s.class === 'load'
            ? 20
            : 100
          : 1
      const at = this.blockOf[i]!
      votes.set(at, (votes.get(at) ?? 0) + weight)
    }
    return votes
  }

  /** The loop of the PTX whose jump back is one to this header; −1 when it is not known. */
  protected closes(header: number): number {
    const { blocks, preds, rank } = this.machine
    for (const p of preds[header]!) {
      if (rank[p]! < rank[header]!) continue
      const i = this.origin(this.code.instructions[blocks[p]!.to - 1]!)
      if (i < 0 || this.body.instructions[i]!.opcode.name !== 'bra') continue
      const from = this.blockOf[i]!
      const back = this.graph.blocks[from]!.next.find((n) => this.graph.rank[n]! <= this.graph.rank[from]!)
      if (back !== undefined) return back
    }
    return -1
  }

  /** Whether lanes that come on different ways each execute a block: it is where they meet, or leads to it. */
  protected isMeeting(i: number): boolean {
    const { from, to } = this.machine.blocks[i]!
    return (
      this.code.instructions[from]!.flow === 'meet' ||
      (this.code.instructions[to - 1]!.flow === 'sync' &&
        this.machine.preds[i]!.length > 1 &&
        !this.machine.loops.some((l) => l.header === i))
    )
  }

  /**
   * The branches of the PTX that one of the machine comes from: where it has the line of a jump that is always taken,
   * the branch before that.
   */
  protected branchesAt(s: MachineInstruction): readonly number[] {
    return (this.byLine.get(s.line) ?? []).flatMap((i) => {
      if (this.isBranch(i)) return [i]
      const { preds, blocks } = this.graph
      const [before, more] = this.body.instructions[i]!.opcode.name === 'bra' ? preds[this.blockOf[i]!]! : []
      return before !== undefined && more === undefined && blocks[before]!.kind === 'branch' ? [blocks[before]!.to] : []
    })
  }

  protected isBranch(i: number): boolean {
    const { opcode, guard } = this.body.instructions[i]!
    return opcode.name === 'bra' && guard !== null
  }

  /** A block and its copies: blocks that begin with the same line. */
  protected placesOf(block: number): readonly number[] {
    const { from } = this.graph.blocks[block]!
    const same = this.byLine.get(this.body.instructions[Math.min(from, this.body.instructions.length - 1)]!.line) ?? []
    return same.length > 1 ? [...new Set(same.map((i) => this.blockOf[i]!))] : [block]
  }
}
