// In: nests and regions, and the program that they are part of. Out: each as a small program of its own in canonical
// form; and back. The one idea: a part of a program that is itself a program can be printed, verified, analysed and run
// by everything that handles programs.
import { store, when } from './build.ts'
import { conjunction, conjuncts, nest as wrap, readsIn, sameExpr } from './loop-tree.ts'
import type { Expr, Loop, LoopStmt, Program } from './loop.ts'
import type { Nest, Region } from './nest.ts'

/** A program taken apart into computations, in the order in which they run. */
export interface Regions {
  /** With the temporaries that regions share, and the variables of host loops as sizes. */
  readonly program: Program
  readonly regions: readonly Region[]
}

/** The nest as a program of its own, canonically written. */
export function nestProgram(program: Program, part: Nest): Program {
  const { reduction: r, out } = part
  const result = store(out.array, out.index, out.value)
  const body: readonly LoopStmt[] = r
    ? [
        { kind: 'declare', array: r.into },
        store(r.into, [], r.init),
        ...wrap(r.loops, guarded(r.guard, [store(r.into, [], r.value, r.op)])),
        result,
      ]
    : [result]
  return { ...program, body: wrap(part.parallel, guarded(part.guard, body)) }
}

const guarded = (guard: Expr | undefined, body: readonly LoopStmt[]): readonly LoopStmt[] =>
  guard ? [when(guard, body)] : body

/** The statements of a region; those of a host loop without the loop, whose variable is a size there. */
export function bodyOf(program: Program, r: Region): readonly LoopStmt[] {
  switch (r.kind) {
    case 'nest':
      return nestProgram(program, r).body
    case 'idiom':
    case 'serial':
      return r.body
    case 'host':
      return r.body.flatMap((x) => bodyOf(program, x))
  }
}

/** A program whose outermost statements are nests as `nestProgram` writes them, taken apart into these. */
export function nestsAsWritten(program: Program): Regions {
  return { program, regions: program.body.map((s) => nestAsWritten(program, s)) }
}

function nestAsWritten(program: Program, s: LoopStmt): Region {
  const { loops: parallel, guard, body } = inside([s])
  const [declare, init, sum] = body,
    result = body.at(-1)
  const out = result?.kind === 'store' ? program.arrays.find((a) => a.name === result.array) : undefined
  const other: Region = { kind: 'serial', body: [s], why: 'it is not written as a nest', parallel: 0 }
  if (result?.kind !== 'store' || result.reduce || !out) return other
  const stored = { array: out, index: result.index, value: result.value }
  if (body.length === 1) {
    const plain: Nest = { kind: 'nest', parallel, guard, reduction: undefined, out: stored }
    const readsOthers = readsIn([result]).some(
      (r) => r.array === out.name && !r.index.every((e, d) => sameExpr(e, result.index[d]!)),
    )
    return readsOthers ? { ...plain, before: true } : plain
  }
  const terms = sum && inside([sum]),
    term = terms?.body[0]
  if (body.length !== 4 || declare?.kind !== 'declare' || init?.kind !== 'store' || term?.kind !== 'store') return other
  if (!term.reduce) return other
  const { loops, guard: innerGuard } = terms!
  const reduction = { loops, guard: innerGuard, op: term.reduce, init: init.value, value: term.value }
  return { kind: 'nest', parallel, guard, reduction: { ...reduction, into: declare.array }, out: stored }
}

/** The perfectly nested loops, then conditions, that begin a block, and what is inside of them. */
function inside(given: readonly LoopStmt[]): {
  readonly loops: readonly Loop[]
  readonly guard: Expr | undefined
  readonly body: readonly LoopStmt[]
} {
  const loops: Loop[] = [],
    guards: Expr[] = []
  let body = given
  for (let [only] = body; body.length === 1; [only] = body) {
    if (only?.kind === 'loop' && guards.length === 0) loops.push(only)
    else if (only?.kind !== 'if' || only.else.length > 0) break
    else guards.push(...conjuncts(only.condition))
    body = only.kind === 'loop' ? only.body : only.then
  }
  return { loops, guard: conjunction(guards), body }
}
