// The sketch of a sequential loop with little work in each iteration: a single block runs the whole loop. Its threads
// share the points of every nest in the loop, or the terms of its sum where there are few points; statements that
// belong to no nest are executed by the first thread. `schedule/lower/barriers.ts` places the barriers between phases,
// for global memory too.
import {
  someExpr,
  affineOf,
  coefficient,
  int,
  loopVar,
  op,
  registerType,
  serial,
  store,
  identityOf,
  reduced,
  nestProgram,
  rewriteExpr,
  mapStmtExprs,
  nest as wrap,
  perfectNest,
  readsArray,
  withGuard,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Nest,
  type OneBlock,
  type Other,
  type Reduction,
  type Region,
} from '../../ir/index.ts'
import { pointsOf } from '../../analysis/index.ts'
import { boxesOf, copiesOf, onCopies, type Kept } from '../kernel/scratchpad-promotion.ts'
import { dealt, digit, strided } from './cyclic-distribution.ts'
import type { Scheduled, Sketch } from './sketch.ts'

/** Parameters of one block. */
export type BlockPoint = {
  readonly threads: number
  /** 1: what all iterations use stays in workgroup memory. */
  readonly keep: number
}

export function oneBlock(program: Program, form: OneBlock): Sketch<BlockPoint> {
  const at = (n: number, keep: number): BlockPoint => ({ threads: n, keep })
  const counts = [32, 64, 128, 256, 512],
    keeps = boxesOf(plain(program, form, 1), new Set()).length > 0 ? [1, 0] : [0]
  return {
    name: 'one-block',
    vectorSizes: {},
    space: keeps.flatMap((keep) => counts.map((n) => at(n, keep))),
    ladder: [
      { step: 'one thread runs everything', point: at(1, 0) },
      { step: 'the threads of one block share each iteration', point: at(256, 0) },
      ...(keeps.includes(1) ? [{ step: 'what all iterations use stays in workgroup memory', point: at(256, 1) }] : []),
    ],
    build: (p) => ({ program, kernels: [scheduled(program, form, p.threads, p.keep === 1)] }),
  }
}

/** The phases as a program, on global memory. */
function plain(program: Program, { loop }: OneBlock, count: number): Program {
  const variables = new Set<string>()
  const body = new Phases(program, count, variables).of(loop)
  const inside = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'size' && variables.has(x.name) ? loopVar(x.name) : undefined))
  return {
    ...program,
    hostVariables: program.hostVariables.filter((v) => !variables.has(v.name)),
    body: body.map((s) => mapStmtExprs(s, inside)),
  }
}

function scheduled(program: Program, form: OneBlock, count: number, keep: boolean): Scheduled {
  const global = plain(program, form, count)
  const kept = keep ? copiesOf(global, boxesOf(global, new Set())) : []
  const copying = (k: Kept, what: readonly LoopStmt[]): readonly LoopStmt[] => dealt(k.loops, what, count)
  const body: readonly LoopStmt[] = [
    ...kept.map((k): LoopStmt => ({ kind: 'declare', array: k.copy })),
    ...kept.flatMap((k) => copying(k, k.fill)),
    ...onCopies(global.body, kept),
    ...kept.flatMap((k) => (k.box.written ? copying(k, k.back) : [])),
  ]
  const steps = [
    `one block of ${count} threads runs '${form.loop.source.name}' in order`,
    'its threads share each iteration, with barriers between what depends on each other',
    ...kept.map((k) => `${k.box.extents.join(' × ')} elements of ${k.box.array.name} stay in workgroup memory`),
  ]
  return { program: { ...program, body }, name: program.name, steps }
}

/** Fewer terms than this are summed by one thread. */
const fewTerms = 16

class Phases {
  private made = 0

  /** `variables` collects the loops that the block runs in order. */
  constructor(
    private readonly program: Program,
    private readonly count: number,
    private readonly variables: Set<string>,
  ) {}

  of(r: Region): readonly LoopStmt[] {
    if (r.kind === 'nest')
      return this.sumsTogether(r)
        ? this.tree(r, r.reduction)
        : this.shared(r.parallel, nestProgram(this.program, { ...this.renamed(r), parallel: [] }).body)
    if (r.kind !== 'host') return this.rest(r)
    this.variables.add(r.variable)
    return [
      {
        kind: 'loop',
        name: r.variable,
        lower: r.lower,
        upper: r.upper,
        step: r.step,
        bind: serial,
        body: r.body.flatMap((x) => this.of(x)),
      },
    ]
  }

  /**
   * Whether the threads make each sum together: there are few of them, with many terms, and nothing that data decide.
   */
  private sumsTogether(n: Nest): n is Nest & { readonly reduction: Reduction } {
    const r = n.reduction
    const uneven = [n.guard, ...n.parallel.flatMap((l) => [l.lower, l.upper])].some((e) => e && readsArray(e))
    if (!r || this.count < 2 || uneven || registerType(r.into.type) !== r.into.type) return false
    const { points, terms } = pointsOf(this.program, n)
    return terms >= fewTerms && points * 8 <= this.count
  }

  private renamed(n: Nest): Nest {
    const r = n.reduction
    if (!r) return n
    const into: ArrayDecl = { ...r.into, name: `${r.into.name}_${this.made++}` }
    const f = (e: Expr): Expr => replaceReads(e, r.into.name, (x) => ({ ...x, array: into.name }))
    return { ...n, reduction: { ...r, into }, out: { ...n.out, value: f(n.out.value) } }
  }

  private shared(loops: readonly Loop[], body: readonly LoopStmt[]): readonly LoopStmt[] {
    return loops.length === 0 ? this.first(body) : dealt(loops, body, this.count)
  }

  /** By the first thread alone: what its conditions and loops do, no other thread needs to follow. */
  private first(body: readonly LoopStmt[]): readonly LoopStmt[] {
    const all = digit(this.count, 1)
    return wrap([all], withGuard([op('eq', [loopVar(all.name), int(0)])], body))
  }

  private rest(part: Other): readonly LoopStmt[] {
    const loops = part.body.filter((s) => s.kind !== 'declare'),
      only = loops[0]
    if (part.parallel === 0 || loops.length !== 1 || only?.kind !== 'loop') return this.first(part.body)
    const chain = perfectNest(only),
      outer = chain.loops.slice(0, part.parallel)
    return this.shared(outer, [
      ...part.body.filter((s) => s.kind === 'declare'),
      ...wrap(chain.loops.slice(part.parallel), chain.body),
    ])
  }

  /**
   * Every thread sums some terms, a tree combines what they have; what memory held before is added at the end, by who
   * stores.
   */
  private tree(n: Nest, r: Reduction): readonly LoopStmt[] {
    const id = this.made++
    const total: ArrayDecl = { ...r.into, name: `total_${id}` }
    const part: ArrayDecl = { ...r.into, name: `part_${id}`, shape: [int(this.count)] }
    const t = digit(this.count, 1),
      own = loopVar(t.name),
      zero = identityOf(r.op, r.init.type)
    const along = contiguous(r)
    const loops = r.loops.map((l) => (l === along ? strided(l, t) : l))
    const sum = replaceReads(n.out.value, r.into.name, (x) => reduced(r.op, r.init, { ...x, array: total.name }))
    const body: readonly LoopStmt[] = [
      { kind: 'declare', array: total },
      { kind: 'declare', array: part },
      store(total, [], zero),
      ...wrap(
        [t],
        [
          store(part, [own], zero),
          ...wrap(loops, withGuard(r.guard ? [r.guard] : [], [store(part, [own], r.value, r.op)])),
        ],
      ),
      ...wrap([t], [store(total, [], { kind: 'read', type: r.init.type, array: part.name, index: [own] }, r.op)]),
      store(n.out.array, n.out.index, sum),
    ]
    return wrap(n.parallel, withGuard(n.guard ? [n.guard] : [], body))
  }
}

/** The loop of a sum that runs along memory, or its innermost. */
function contiguous(r: Reduction): Loop {
  const last = r.loops[r.loops.length - 1]! // a reduction has loops
  const along = (name: string): boolean =>
    someExpr(r.value, (x) => {
      const e = x.kind === 'read' ? x.index[x.index.length - 1] : undefined,
        a = e && affineOf(e)
      return a !== undefined && coefficient(a, name) === 1
    })
  return [...r.loops].reverse().find((l) => along(l.name)) ?? last
}
