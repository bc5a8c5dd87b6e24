// In: a flat body, its memory map, its graph and the cost of each instruction. Out: the statements and registers of a
// kernel. The one idea: every PTX instruction becomes a few statements of which one is counted, as often as machine
// instructions stand for it; the others are free.
import { fail, type Span } from '../../../base/index.ts'
import { constOf, listsOf, type Operand as Value, type Reg, type Stmt } from '../../../ir/index.ts'
import { Accesses } from './access.ts'
import { asyncInstruction } from './async.ts'
import { prologue, varyingRegisters } from '../instruction-cost.ts'
import { floatInstruction } from './floats.ts'
import type { Graph } from '../control-flow/flow-graph.ts'
import type { FlatBody } from '../control-flow/inlining.ts'
import { Carry, integerInstruction, typeOf } from './integers.ts'
import { matrixInstruction } from './tensor-cores.ts'
import type { MemoryMap } from '../memory-map.ts'
import type { MachineCosts, Sides, LoopStage } from '../machine/costs.ts'
import { roundsOf, type Rounds } from '../machine/rounds.ts'
import { classOfMain, withoutCost, type Counts } from '../control-flow/predication.ts'
import { structure, type Lowerer, type MeasuredBranch } from '../control-flow/structuring.ts'
import type { PtxFunction, Instruction, PtxModule } from '../text/syntax.ts'
import { Textures, type TextureOptions } from './textures.ts'
import { isSpecial, PtxValues } from './values.ts'
import { byMasks, warpInstruction } from './warp.ts'

export interface LoweredEntry {
  readonly body: readonly Stmt[]
  readonly registers: readonly Reg[]
  readonly slots: Accesses['slots']
  readonly textures: Textures
  readonly notes: ReadonlySet<string>
  /** Names of shared words that the lowering needs. */
  readonly extras: readonly string[]
}

export function lowerEntry(
  module: PtxModule,
  entry: PtxFunction,
  body: FlatBody,
  memory: MemoryMap,
  graph: Graph,
  costs: ArrayLike<number> | MachineCosts,
  options: TextureOptions & { readonly threads: number },
): LoweredEntry {
  const values = new PtxValues(module, body, memory, options.threads)
  const work = new Lowering(values, entry, graph, costs, new Textures(values, options))
  const stmts = structure(graph, work)
  if ('own' in costs)
    return {
      body: stmts,
      registers: values.registers,
      slots: work.accesses.slots,
      textures: work.textures,
      notes: values.notes,
      extras: values.extras(),
    }
  const start: Stmt = {
    kind: 'op',
    op: 'copy',
    dst: values.temp('u32'),
    args: [constOf('u32', 0)],
    free: true,
    counts: { int: prologue(body) },
  }
  return {
    body: [start, ...stmts],
    registers: values.registers,
    slots: work.accesses.slots,
    textures: work.textures,
    notes: values.notes,
    extras: values.extras(),
  }
}

/** Families of instructions that are refused, by first word, with what they are. */
const families: Readonly<Record<string, string>> = {
  tcgen05: 'a tensor-core instruction',
  multimem: 'a multicast access',
  mapa: 'an access to another block of the cluster',
  getctarank: 'an access to another block of the cluster',
  tensormap: 'a tensor map',
  clusterlaunchcontrol: 'a cluster launch',
  alloca: 'a stack allocation',
  stacksave: 'a stack allocation',
  stackrestore: 'a stack allocation',
  brkpt: 'a breakpoint',
}

class Lowering implements Lowerer {
  readonly accesses: Accesses
  readonly textures: Textures
  private readonly v: PtxValues
  private readonly graph: Graph
  private readonly costs: ArrayLike<number>
  private readonly machine: MachineCosts | null
  private readonly varying: Uint8Array
  private readonly carry = new Carry()

  constructor(
    v: PtxValues,
    entry: PtxFunction,
    graph: Graph,
    costs: ArrayLike<number> | MachineCosts,
    textures: Textures,
  ) {
    this.textures = textures
    this.varying = varyingRegisters(v.body)
    this.v = v
    this.graph = graph
    this.machine = 'own' in costs ? costs : null
    this.costs = 'own' in costs ? [] : costs
    this.accesses = new Accesses(v, entry)
  }

  private spanOf(s: Instruction): Span {
    return s.loc ?? { file: this.v.module.file, line: s.line, column: 1 }
  }

  block(b: number): Stmt[] {
    const { from, to } = this.graph.blocks[b]!
    return this.v.collect(() => {
      this.atStart(b)
      for (let i = from; i < to; i++) this.guarded(i)
    })
  }

  private guarded(i: number): void {
    const { v } = this
    const s = v.body.instructions[i]!
    v.current = s
    if (this.machine) return this.measured(s, this.machine.own.get(i))
    const cost = this.costs[i]!
    if (!s.guard) {
      for (const x of counted(
        v.collect(() => this.instruction(s)),
        cost,
        this.spanOf(s),
      ))
        v.push(x)
      return
    }
    const condition = v.get({ ...s.guard, negated: false }, 'pred')
    const inner = counted(
      v.collect(() => this.instruction(s)),
      cost,
      this.spanOf(s),
    )
    if (inner.length > 0)
      v.push({
        kind: 'if',
        condition,
        then: s.guard.negated ? [] : inner,
        else: s.guard.negated ? inner : [],
        free: true,
      })
  }

  /** What machine code has in a block beside the block's own instructions. */
  private atStart(b: number): void {
    const { v, machine } = this
    if (!machine) return
    v.current = v.body.instructions[Math.min(this.graph.blocks[b]!.from, v.body.instructions.length - 1)]!
    for (const { from, counts } of machine.moved.get(b) ?? [])
      v.push(this.nothing(counts, this.spanOf(v.body.instructions[from]!)))
    const branches = machine.inserted.get(b)
    if (branches !== undefined) v.push({ ...this.nothing({}, this.spanOf(v.current)), branches })
  }

  /** A statement that does nothing and counts. */
  private nothing(counts: Counts, at: Span): Stmt {
    return { kind: 'op', op: 'copy', dst: this.v.temp('u32'), args: [constOf('u32', 0)], free: true, counts, at }
  }

  /** An instruction that counts as machine code says, with its predicate or without. */
  private measured(s: Instruction, counts: Counts | undefined): void {
    const { v } = this
    const at = this.spanOf(s)
    const inner = withoutCost(v.collect(() => this.instruction(s))).map((x) => placed(x, at))
    const condition = s.guard && v.get({ ...s.guard, negated: false }, 'pred')
    const list: Stmt[] =
      condition === null || inner.length === 0
        ? inner
        : [
            {
              kind: 'if',
              condition,
              then: s.guard!.negated ? [] : inner,
              else: s.guard!.negated ? inner : [],
              free: true,
              at,
            },
          ] // it has a guard
    const [first, ...rest] = list
    if (counts && (!first || first.kind === 'loop')) v.push(this.nothing(counts, at))
    if (first) v.push(counts && first.kind !== 'loop' ? { ...first, counts } : first)
    for (const x of rest) v.push(x)
    this.wholeWarps(s, at)
  }

  /** What machine code does only when all lanes of a warp are there, or for each group of lanes by itself. */
  private wholeWarps(s: Instruction, at: Span): void {
    const { v } = this
    const i = v.body.instructions.indexOf(s)
    const groups = this.machine?.groups.get(i),
      mask = s.operands[s.operands.length - 1]
    if (groups && mask?.kind === 'register')
      byMasks(v, v.get(mask, 'b32'), () => [this.nothing(groups, at)], { ...this.nothing({}, at), branches: 1 })
    const counts = this.machine?.full.get(i)
    if (!counts) return
    const here = v.temp('u32')
    v.push({ kind: 'subgroup', op: 'ballot', dst: here, args: [constOf('bool', 1)], free: true })
    const all = v.temp('bool')
    v.push({ kind: 'op', op: 'eq', dst: all, args: [here, constOf('u32', 0xffffffff)], free: true })
    v.push({ kind: 'if', condition: all, then: [this.nothing(counts, at)], else: [], free: true })
  }

  private instruction(s: Instruction): void {
    const { v } = this
    const { name } = s.opcode
    if (name === 'mov') return this.move(s)
    if (name === 'cvta') {
      const t = typeOf(s)
      v.put(s.operands[0], t, v.op('copy', [v.get(s.operands[1], t)]))
      return
    }
    if (name === 'ret' || name === 'exit' || name === 'trap') {
      v.push({ kind: 'return' })
      return
    }
    if (
      asyncInstruction(v, this.accesses, s) ||
      this.accesses.instruction(s) ||
      floatInstruction(v, s) ||
      integerInstruction(v, s, this.carry) ||
      warpInstruction(v, s) ||
      this.textures.instruction(s) ||
      matrixInstruction(v, this.accesses, s)
    )
      return
    const family = Object.hasOwn(families, name) ? families[name] : undefined
    fail('ptx.unsupported', `${s.opcode.text.slice(0, 80)}${family ? `, ${family},` : ''} cannot be analysed`, v.at())
  }

  private move(s: Instruction): void {
    const { v } = this
    const [dst, a] = s.operands
    const t = typeOf(s)
    if (t === 'b128') v.refuse(`${s.opcode.text} cannot be analysed`)
    // Two vectors of the same length are element by element.
    if (dst?.kind === 'vector' && a?.kind === 'vector')
      return v.refuse(`${s.opcode.text} of vectors cannot be analysed`)
    const value = v.get(a, t)
    v.put(dst, t, a?.kind === 'name' && isSpecial(a.name) ? value : v.op('copy', [value]))
  }

  private last(b: number): Instruction {
    const { jump, from } = this.graph.blocks[b]!
    return jump ?? this.v.body.instructions[Math.min(from, this.v.body.instructions.length - 1)]!
  }

  condition(b: number): { value: Value; negated: boolean; before: readonly Stmt[] } {
    const s = this.last(b)
    this.v.current = s
    const { guard } = s
    if (!guard) return { value: constOf('bool', 1), negated: false, before: [] }
    return { value: this.v.get({ ...guard, negated: false }, 'pred'), negated: guard.negated, before: [] }
  }

  selector(b: number): Value {
    this.v.current = this.last(b)
    return this.v.get(this.last(b).operands[0], 'u32')
  }

  /** The jump of a block that always jumps. */
  jumped(b: number): Stmt[] {
    const { to, jump } = this.graph.blocks[b]!
    const counts = jump && this.machine?.own.get(to)
    return counts ? [this.nothing(counts, this.spanOf(jump))] : []
  }

  measuredBranch(b: number): MeasuredBranch | null {
    const { machine } = this
    const { to, jump } = this.graph.blocks[b]!
    if (!machine) return null
    const side = (which: keyof Sides): Stmt[] => {
      const counts = machine.sides.get(b)?.[which] ?? {}
      return Object.keys(counts).length > 0 ? [this.nothing(counts, this.branchAt(b) ?? this.spanOf(this.last(b)))] : []
    }
    return {
      counts: (jump && machine.own.get(to)) ?? {},
      branches: machine.branches.get(b) ?? 0,
      taken: side('taken'),
      other: side('other'),
      exits: machine.exits.has(b),
    }
  }

  leave(b: number): Stmt[] {
    const { jump } = this.graph.blocks[b]!
    const { machine } = this
    return [
      {
        kind: 'return',
        ...(jump && { at: this.spanOf(jump) }),
        ...(machine && { counts: (jump && machine.own.get(this.graph.blocks[b]!.to)) ?? {} }),
      },
    ]
  }

  rounds(header: number): Rounds | null {
    const stages = this.machine?.stages.get(header)
    const cost = ({ from, counts }: LoopStage['costs'][number]): Stmt =>
      this.nothing(counts, this.spanOf(this.v.body.instructions[from]!))
    const entered = this.machine?.entered.get(header)
    if (!stages) return entered ? { before: entered.map(cost), each: [], after: [] } : null
    return roundsOf(this.v, stages, this.branchAt(header), cost)
  }

  branchAt(b: number): Span | undefined {
    const { jump, from } = this.graph.blocks[b]!
    const s = jump ?? this.v.body.instructions[from]
    return s && this.spanOf(s)
  }

  branchCost(b: number): number {
    return this.graph.blocks[b]!.jump ? this.costs[this.graph.blocks[b]!.to]! : 1
  }

  splits(b: number): boolean {
    const { jump } = this.graph.blocks[b]!
    return jump?.guard != null && this.varying[jump.guard.id] === 1
  }

  flag(): Reg {
    return this.v.reg('bool', 'on')
  }

  compare(value: Value, n: number): { stmt: Stmt; result: Reg } {
    const result = this.v.temp('bool')
    return { stmt: { kind: 'op', op: 'eq', dst: result, args: [value, constOf('u32', n)], free: true }, result }
  }
}

/**
 * Marks all statements of an instruction free but its main one, which stands for `cost` machine instructions, or those
 * that say what they count as.
 */
function counted(list: readonly Stmt[], cost: number, at: Span): Stmt[] {
  const own = list.some(hasCounts)
  const main = cost > 0 && !own ? mainOf(list) : -1
  return list
    .map((s) => placed(s, at))
    .map((s, i) =>
      s.counts
        ? s
        : i === main
          ? { ...s, ...(cost !== 1 && { counts: { [classOfMain(s)]: cost } }) }
          : { ...s, free: true as const },
    )
}

const hasCounts = (s: Stmt): boolean => (s.counts !== undefined && !s.free) || listsOf(s).some((l) => l.some(hasCounts))

/** The place, also of what stands inside. */
function placed(s: Stmt, at: Span): Stmt {
  if (s.kind === 'if')
    return { ...s, at, then: s.then.map((x) => placed(x, at)), else: s.else.map((x) => placed(x, at)) }
  return s.kind === 'loop'
    ? { ...s, at, body: s.body.map((x) => placed(x, at)), continuing: s.continuing.map((x) => placed(x, at)) }
    : { ...s, at }
}

/** The effect if there is one, else the last real operation. */
function mainOf(list: readonly Stmt[]): number {
  const effect = list.findIndex(
    (s) => !s.free && s.kind !== 'op' && s.kind !== 'builtin' && s.kind !== 'if' && s.kind !== 'loop',
  )
  if (effect >= 0) return effect
  for (let i = list.length - 1; i >= 0; i--) {
    const s = list[i]!
    if (s.kind === 'op' && s.op !== 'copy' && s.op !== 'bitcast') return i
  }
  return list.length - 1
}
