// In: a scheduled program in which block loops stand side by side and in loops that run in order. Out: the same as one
// kernel's block, and before which statements all blocks of the grid meet. The one idea: nests over the same blocks are
// phases of one launch; what a block or a thread keeps from one to the next is declared around them, with the blocks'
// loops as its first dimensions, and lies on the chip.
import { fail } from '../../base/index.ts'
import {
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  extentOf,
  rewriteExpr,
  sameExpr,
  someStmt,
} from '../../ir/index.ts'
import { blockLoops } from './grid.ts'

/** A kernel whose blocks meet. */
export interface Meeting {
  /** What a block does, without the loops over blocks; arrays without their dimensions. */
  readonly program: Program
  readonly loops: readonly Loop[]
  /** Statements before which the grid meets: the first of every nest but the first one. */
  readonly before: ReadonlySet<LoopStmt>
}

const isBlock = (s: LoopStmt): s is Loop & { readonly bind: { readonly kind: 'block' } } =>
  s.kind === 'loop' && s.bind.kind === 'block'

/**
 * The kernel of a program of several nests over the same blocks; `undefined` for one nest. Throws a `DiagnosticError`
 * where nests differ or something else stands between them.
 */
export function meetingOf(program: Program): Meeting | undefined {
  const work = program.body.filter((s) => s.kind !== 'declare')
  if (
    work.length === 0 ||
    (work.length === 1 && (isBlock(work[0]!) || !holdsBlocks(work[0]!))) ||
    !work.some(holdsBlocks)
  )
    return undefined
  const kept = new Map<string, ArrayDecl>(),
    before = new Set<LoopStmt>()
  let loops: readonly Loop[] | undefined
  const phasesOf = (s: Loop): readonly LoopStmt[] => {
    const nest = blockLoops([s])
    if (loops && !alike(loops, nest.loops))
      fail('schedule.lower', `the blocks of '${s.name}' are not those of the nest before`)
    const first = nest.body.find((x) => x.kind !== 'declare')
    if (loops && first) before.add(first)
    loops ??= nest.loops
    return nest.body
  }
  const flat = (s: LoopStmt): readonly LoopStmt[] => {
    if (s.kind === 'declare') {
      kept.set(s.array.name, s.array)
      return [s]
    }
    if (isBlock(s)) return phasesOf(s)
    if (s.kind === 'loop' && s.bind.kind === 'serial' && holdsBlocks(s)) return [{ ...s, body: s.body.flatMap(flat) }]
    return fail('schedule.lower', 'between nests over blocks there is something that no block does')
  }
  const body = program.body.flatMap(flat),
    names = loops!.map((l) => l.name) // some statement holds blocks
  const own = new Ownership(kept, names, before)
  return { program: { ...program, body: own.stripped(body) }, loops: loops!, before: own.before }
}

const holdsBlocks = (s: LoopStmt): boolean => someStmt([s], isBlock)

const alike = (a: readonly Loop[], b: readonly Loop[]): boolean =>
  a.length === b.length &&
  a.every((l, n) => {
    const m = b[n]!
    return (
      l.name === m.name &&
      l.bind.kind === 'block' &&
      m.bind.kind === 'block' &&
      l.bind.axis === m.bind.axis &&
      sameExpr(extentOf(l), extentOf(m))
    )
  }) // as many

/** Arrays that every block has its own of: their first subscripts are the blocks' loops and nothing else. */
class Ownership {
  readonly before = new Set<LoopStmt>()

  constructor(
    private readonly kept: ReadonlyMap<string, ArrayDecl>,
    private readonly names: readonly string[],
    private readonly met: ReadonlySet<LoopStmt>,
  ) {}

  stripped(body: readonly LoopStmt[]): readonly LoopStmt[] {
    return body.map((s) => {
      const made = this.statement(s)
      if (this.met.has(s)) this.before.add(made)
      return made
    })
  }

  private statement(s: LoopStmt): LoopStmt {
    switch (s.kind) {
      case 'declare':
        return this.kept.has(s.array.name)
          ? { ...s, array: { ...s.array, shape: s.array.shape.slice(this.names.length) } }
          : s
      case 'store':
        return {
          ...s,
          index: this.index(
            s.array,
            s.index.map((e) => this.expr(e)),
          ),
          value: this.expr(s.value),
        }
      case 'if':
        return { ...s, condition: this.expr(s.condition), then: this.stripped(s.then), else: this.stripped(s.else) }
      case 'loop':
        return { ...s, lower: this.expr(s.lower), upper: this.expr(s.upper), body: this.stripped(s.body) }
    }
  }

  private expr(e: Expr): Expr {
    return rewriteExpr(e, (x) =>
      x.kind === 'read' && this.kept.has(x.array)
        ? {
            ...x,
            index: this.index(
              x.array,
              x.index.map((i) => this.expr(i)),
            ),
          }
        : undefined,
    )
  }

  private index(array: string, index: readonly Expr[]): readonly Expr[] {
    if (!this.kept.has(array)) return index
    const own = this.names.every((name, n) => {
      const e = index[n]
      return e?.kind === 'var' && e.name === name
    })
    return own
      ? index.slice(this.names.length)
      : fail('schedule.lower', `'${array}' is not taken by the block that has it`)
  }
}
