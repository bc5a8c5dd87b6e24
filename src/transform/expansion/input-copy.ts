// In: a computation in canonical form that reads the array it writes at other elements than its own. Out: whether that
// is no matter ('apart': no point reads what another writes), whether it reads what was there before ('before': a copy
// made first will do), or neither. The one idea: the exact dependences of the canonical program say it.
import { knownDependences, type Dependence } from '../../analysis/index.ts'
import {
  claimName,
  int,
  loop as loopOf,
  loopVar,
  read,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Nest,
  type Other,
  rewriteExpr,
  namesOf,
  nest,
  store,
  sameExpr,
  pass,
  loopNests,
  someExpr,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 2
//     array y: f32[n] inout global
//     for i in 0 .. n - 1 {
//       y[i] = y[i + 1]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 2
//     array y: f32[n] inout global
//     array y_before: f32[n] temp global
//     for at_0 in 0 .. n {
//       y_before[at_0] = y[at_0]
//     }
//     for i in 0 .. n - 1 {
//       y[i] = y_before[i + 1]
//     }
//   }
export const inputCopy = pass({
  name: 'input-copy',
  summary: 'a computation that reads its own output at other elements as they were before reads a copy',
  of: loopNests,
  run: withCopies,
})

export type OwnReads = 'apart' | 'before'

/**
 * `body`: the canonical program of a nest with `parallel` outer loops that stores to `array` in its last statement.
 * `inOrder`: these loops are in the order of the source.
 */
export function ownReads(
  program: Program,
  body: readonly LoopStmt[],
  array: string,
  parallel: number,
  inOrder: boolean,
): OwnReads | undefined {
  const deps = knownDependences({ ...program, body })?.filter((d) => d.array === array)
  if (!deps || deps.some((d) => d.level === null && readsInside(d, parallel))) return undefined
  const carried = deps.filter((d) => d.level !== null)
  if (carried.length === 0) return 'apart'
  return inOrder && carried.every((d) => d.kind === 'anti') ? 'before' : undefined
}

/** The source stands in a loop of the reduction. */
const readsInside = (d: Dependence, parallel: number): boolean => d.source.loops.length > parallel

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

/** Nests that read what was there before get a copy of it, made by a nest in front of them. */
export function withCopies(given: Parts): Parts {
  if (!given.parts.some((p) => p.kind === 'nest' && p.before)) return given
  let program = given.program
  const parts = given.parts.flatMap((part): readonly (Nest | Other)[] => {
    if (part.kind !== 'nest' || !part.before) return [part]
    const copy = copyBefore(part.out.array, namesOf(program))
    program = { ...program, arrays: [...program.arrays, copy] }
    return [copying(program, part.out.array, copy), fromCopy(part, copy)]
  })
  return { program, parts }
}

/** What is to hold an array as it was before; its name is taken. */
export const copyBefore = (array: ArrayDecl, taken: Set<string>): ArrayDecl => ({
  ...array,
  name: claimName(taken, `${array.name}_before`),
  role: 'temp',
  space: 'global',
})

/** Loops that fill such a copy. */
export function copyLoops(from: ArrayDecl, to: ArrayDecl, taken: Set<string>): readonly LoopStmt[] {
  const loops = to.shape.map((upper) => loopOf(claimName(taken, 'at'), upper, [])),
    index = loops.map((l) => loopVar(l.name))
  return nest(loops, [store(to, index, read(from, index))])
}

/** `to[…] = from[…]` for every element of `to`; `source` gives the element's place in `from`, the same when absent. */
export function copying(
  program: Program,
  from: ArrayDecl,
  to: ArrayDecl,
  source = (index: readonly Expr[]): readonly Expr[] => index,
): Nest {
  const taken = namesOf(program)
  const parallel = to.shape.map((upper, d): Loop => {
    let name = `at_${d}`
    while (taken.has(name)) name += '_'
    return { kind: 'loop', name, lower: int(0), upper, step: 1, bind: { kind: 'serial' }, body: [] }
  })
  const index = parallel.map((l) => loopVar(l.name))
  return {
    kind: 'nest',
    parallel,
    guard: undefined,
    reduction: undefined,
    out: { array: to, index, value: read(from, source(index)) },
  }
}

function fromCopy(part: Nest, copy: ArrayDecl): Nest {
  const { array, index } = part.out
  const own = (at: readonly Expr[]): boolean => at.every((e, d) => sameExpr(e, index[d]!))
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && x.array === array.name && !own(x.index) ? { ...x, array: copy.name } : undefined,
    )
  const r = part.reduction
  return {
    kind: 'nest',
    parallel: part.parallel,
    guard: part.guard && f(part.guard),
    reduction: r && { ...r, guard: r.guard && f(r.guard), init: f(r.init), value: f(r.value) },
    out: { ...part.out, value: f(part.out.value) },
  }
}

/** All that the nest computes, but where it stores. */
export const computedIn = ({ guard, reduction: r, out }: Nest): readonly Expr[] => [
  ...(guard ? [guard] : []),
  ...(r ? [r.init, r.value, ...(r.guard ? [r.guard] : [])] : []),
  out.value,
]

/** Whether it reads what it writes at other places: schedules may find no proof that these are apart. */
export function readsElsewhere(n: Nest): boolean {
  const { array, index } = n.out
  const isElsewhere = (x: Expr): boolean =>
    x.kind === 'read' && x.array === array.name && !x.index.every((i, d) => sameExpr(i, index[d]!))
  return computedIn(n).some((e) => someExpr(e, isElsewhere))
}
