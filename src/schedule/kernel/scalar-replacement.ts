// In: a kernel. Out: the same kernel, in which a value that one iteration of a thread's loop stores and a later one
// loads stays in a register (scalar replacement; Callahan, Carr and Kennedy, 1990). The one idea: otherwise each step
// of a recurrence waits for a store and a load of the same element. All stores remain, so other readers of the array
// see no difference.
import {
  addScaled,
  affineOf,
  coefficient,
  int,
  lt,
  read,
  registerType,
  store,
  sub,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  claimName,
  conjunction,
  eachStmt,
  someStmt,
  mapBody,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  peelGuard,
  readsArray,
  substitute,
  unconditionalReads,
  uses,
  withGuard,
  type Read,
  someExprIn,
} from '../../ir/index.ts'

/** Most iterations that an element waits. */
const mostSteps = 4

/** `program` with the recurrences of its serial loops in registers, and their arrays. */
export function carried(program: Program): { readonly program: Program; readonly arrays: readonly string[] } {
  const taken = namesOf(program),
    arrays = new Map(program.arrays.map((a) => [a.name, a]))
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare') arrays.set(s.array.name, s.array)
  })
  const fresh = (base: string): string => claimName(taken, base)
  const met = new Set<string>()
  const body = mapBody(program.body, (s) =>
    s.kind === 'loop' && s.bind.kind === 'serial' ? carriedLoop(s, arrays, fresh, met) : undefined,
  )
  return { program: body === program.body ? program : { ...program, body }, arrays: [...met] }
}

/**
 * A store whose elements later iterations read: each iteration stores the element that is `steps` iterations later read
 * so many back; 0: the same iteration alone reads it.
 */
interface Recurrence {
  readonly store: Store
  readonly array: ArrayDecl
  readonly steps: number
}

function carriedLoop(
  l: Loop,
  arrays: ReadonlyMap<string, ArrayDecl>,
  fresh: (base: string) => string,
  met: Set<string>,
): readonly LoopStmt[] | undefined {
  const { guard, body } = peelGuard(l.body)
  if (guard.some((g) => uses(g, l.name) || readsArray(g)) || !ownThread(body)) return undefined
  const found = body.flatMap((s) => {
    const r = s.kind === 'store' ? recurrence(l, s, body, arrays) : undefined
    return r ? [r] : []
  })
  if (found.length === 0) return undefined
  let inner = body
  const declared: LoopStmt[] = [],
    first: LoopStmt[] = [],
    last: LoopStmt[] = []
  for (const r of found) {
    const at = (index: readonly Expr[], steps: number): Expr[] =>
      index.map((i) => substitute(i, new Map([[l.name, sub(l.lower, int(steps * l.step))]])))
    const scalars = Array.from(
      { length: r.steps + 1 },
      (_, n): ArrayDecl => ({
        name: fresh(`${r.array.name}_${n === 0 ? 'next' : 'last'}`),
        type: r.array.type,
        shape: [],
        role: 'temp',
        space: 'private',
      }),
    )
    met.add(r.array.name)
    declared.push(...scalars.map((array): LoopStmt => ({ kind: 'declare', array })))
    first.push(...scalars.slice(1).map((s, n) => store(s, [], read(r.array, at(r.store.index, n + 1)))))
    for (let n = r.steps; n > 0; n--) last.push(store(scalars[n]!, [], read(scalars[n - 1]!, [])))
    inner = inRegisters(inner, r, l, scalars)
  }
  const runs = conjunction([...guard, lt(l.lower, l.upper)])! // two at least make one
  return [
    ...declared,
    ...(first.length > 0 ? [{ kind: 'if' as const, condition: runs, then: first, else: [] }] : []),
    { ...l, body: withGuard(guard, [...inner, ...last]) },
  ]
}

/** Whether nothing in `body` is shared out among threads. */
export function ownThread(body: readonly LoopStmt[]): boolean {
  return !someStmt(body, (s) => s.kind === 'loop' && s.bind.kind !== 'serial' && s.bind.kind !== 'unroll')
}

/** The only store of its array in the loop, of which every iteration reads what the 1 … `steps` before it stored. */
function recurrence(
  l: Loop,
  s: Store,
  body: readonly LoopStmt[],
  arrays: ReadonlyMap<string, ArrayDecl>,
): Recurrence | undefined {
  const array = arrays.get(s.array)
  if (!array || s.reduce || array.shape.length === 0 || registerType(array.type) !== array.type) return undefined
  let stores = 0
  eachStmt(body, (x) => {
    if (x.kind === 'store' && x.array === s.array) stores++
  })
  if (stores !== 1 || s.index.some(readsArray)) return undefined
  const distances = new Set(
    body.flatMap((x) => (x.kind === 'store' ? unconditionalReads(x) : [])).map((x) => stepsBack(x, s, l)),
  )
  let steps = 0
  while (steps < mostSteps && distances.has(steps + 1)) steps++
  return steps === 0 && !readAgain(l, s, body) ? undefined : { store: s, array, steps }
}

/** Whether what comes after the store in its iteration reads the element. */
function readAgain(l: Loop, s: Store, body: readonly LoopStmt[]): boolean {
  const after = body.slice(body.indexOf(s) + 1)
  return someExprIn(after, (y) => y.kind === 'read' && y.array === s.array && stepsBack(y, s, l) === 0)
}

/**
 * How many iterations before its own the element was stored that `x` reads; `undefined` when that is not one number.
 */
function stepsBack(x: Read, s: Store, l: Loop): number | undefined {
  if (x.array !== s.array) return undefined
  let steps: number | undefined
  for (const [d, i] of s.index.entries()) {
    const stored = affineOf(i),
      from = affineOf(x.index[d]!)
    if (!stored || !from) return undefined
    const gap = addScaled(stored, from, -1),
      each = coefficient(stored, l.name) * l.step
    if (gap.terms.size > 0 || (each === 0 && gap.constant !== 0)) return undefined
    if (each === 0) continue
    const n = gap.constant / each
    if (!Number.isInteger(n) || (steps !== undefined && steps !== n)) return undefined
    steps = n
  }
  return steps
}

/** The body with the value of the store in `scalars[0]`, and the reads of the last ones in the others. */
function inRegisters(
  body: readonly LoopStmt[],
  r: Recurrence,
  l: Loop,
  scalars: readonly ArrayDecl[],
): readonly LoopStmt[] {
  const known =
    (after: boolean) =>
    (e: Expr): Expr =>
      rewriteExpr(e, (x) => {
        if (x.kind !== 'read' || x.array !== r.array.name) return undefined
        const steps = stepsBack(x, r.store, l)
        return steps !== undefined && steps <= r.steps && steps >= (after ? 0 : 1)
          ? read(scalars[steps]!, [])
          : undefined
      })
  const at = body.findIndex((s) => s.kind === 'store' && s.array === r.array.name)
  return body.flatMap((s, i) => {
    if (i !== at || s.kind !== 'store') return [mapStmtExprs(s, known(i > at))]
    return [store(scalars[0]!, [], known(false)(s.value)), { ...s, value: read(scalars[0]!, []) }]
  })
}
