// In: a lowered program and an array whose length is a size of its own, because data choose what is reached. Out: a
// length to plan for at which subscripts stay inside. The one idea: interval arithmetic at the planned sizes, where
// what nothing bounds (an element, a counter) stays in the row of the loops beside it, or is below the usual size.
import {
  accesses,
  namesInKey,
  loopVar,
  op,
  planValueIfKnown,
  polynomialOf,
  isEndless,
  readsArray,
  varsOf,
  type Access,
  type Expr,
  type Loop,
  type Polynomial,
  type Program,
} from '../../../../ir/index.ts'

/** Longer arrays are not planned for. */
const longest = 2 ** 28

/** Elements of `array` that its accesses reach where what is open is below `usual`; `usual` where that is too many. */
export function plannedLength(program: Program, array: string, usual: number): number {
  const sizes = Object.fromEntries(program.sizes.map((s) => [s.name, s.planned])),
    reached = accesses(program).map((x) => (x.array === array ? reachedBy(x, sizes, usual) : 0)),
    most = Math.max(usual, ...reached)
  return most <= longest ? most : usual
}

type Values = Readonly<Record<string, number>>

function reachedBy(x: Access, sizes: Values, usual: number): number {
  const form = polynomialOf(withAtoms(x.index[0]!)) // arrays without a length have a dimension
  if (!form) return 0
  const last = lastOf(x.loops, sizes),
    terms = termsOf(form, sizes, last)
  if (!terms.some((t) => Math.abs(t.by) > 1 && (t.open > 0 || t.last !== undefined))) return 0 // it is in one row
  const rows = terms.flatMap((t) => (t.last !== undefined && t.by > 1 ? [t.by] : [])),
    isInRow = (t: Term): boolean => t.open === 1 && t.by === 1
  const inRow = terms.some(isInRow) ? Math.min(usual, ...rows) - 1 : 0
  return terms.reduce((sum, t) => {
    if (isInRow(t)) return sum
    if (t.open > 0) return sum + Math.max(0, t.by * (usual - 1) ** t.open)
    return sum + (t.last === undefined ? t.by : Math.max(0, t.by * t.last))
  }, 1 + inRow)
}

/** The last values of loops that sizes end. */
function lastOf(loops: readonly Loop[], sizes: Values): Values {
  const last: Record<string, number> = {}
  for (const l of loops) {
    const isOpen = isEndless(l) || readsArray(l.upper) || [...varsOf(l.upper)].some((name) => last[name] === undefined),
      end = isOpen ? undefined : planValueIfKnown(l.upper, { sizes, scalars: {}, variables: last })
    if (end !== undefined) last[l.name] = end - 1
  }
  return last
}

/** A term of a subscript: a number, times the last value of a loop where it has one, times so many open values. */
interface Term {
  readonly by: number
  readonly last: number | undefined
  readonly open: number
}

function termsOf(form: Polynomial, sizes: Values, last: Values): readonly Term[] {
  return [...form].map(([key, c]) => {
    const names = namesInKey(key),
      variables = names.filter((n) => !n.startsWith('$')),
      [only, more] = variables.flatMap((n) => last[n] ?? []),
      by = names.filter((n) => n.startsWith('$')).reduce((n, name) => n * (sizes[name.slice(1)] ?? 1), c)
    return { by: by * (more ?? 1), last: only, open: variables.filter((n) => last[n] === undefined).length }
  })
}

/** `e` with a name for whatever is no sum or product of sizes and variables; the same where there is none. */
function withAtoms(e: Expr): Expr {
  if (e.kind === 'const' || e.kind === 'var' || e.kind === 'size') return e
  if (e.kind === 'op' && e.type === 'i32' && (e.op === 'add' || e.op === 'sub' || e.op === 'mul' || e.op === 'neg')) {
    const args = e.args.map(withAtoms)
    return args.every((x, i) => x === e.args[i]) ? e : op(e.op, args)
  }
  return loopVar('@')
}
