// In: a program and a loop at its top that stores where data choose, so that a later iteration may store to the same
// element. Out: loops that first find, for each element, the last iteration that stores to it, and then make what that
// one stores: `a[p[i]] = b[i]`. The one idea: the greatest of the iterations that meet in an element is a reduction,
// whatever order they come in; the rest is a gather.
import {
  int,
  loop as loopOf,
  loopVar,
  op,
  read,
  store,
  when,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  claimName,
  conjuncts,
  exprKey,
  namesOf,
  nest,
  readsArray,
  substitute,
  uses,
  varsOf,
  withGuard,
  storedIn,
} from '../../ir/index.ts'
import { mentionsAny, planned, plannedBound } from '../../analysis/index.ts'
import { isPlain } from '../expansion/scalar-expansion.ts'

/** Elements for each iteration that stores to one of them: going through more of them is not worth it. */
const mostElements = 16

/** The program with the loop at `position` of its body so taken apart; `undefined` where it is no such loop. */
export function lastWriters(program: Program, position: number): Program | undefined {
  const outer = program.body[position],
    under = outer?.kind === 'loop' ? storesUnder([outer]) : undefined
  const found = under?.map((u) => chosenStore(program, u)) ?? []
  if (
    outer?.kind !== 'loop' ||
    !found.every((f): f is ChosenStore => f !== undefined) ||
    mentionsAny(
      found.flatMap((f) => [f.s.value, ...f.s.index, ...f.guards]),
      storedIn([outer]),
    )
  )
    return undefined
  if (found.length === 0 || new Set(found.map((f) => f.array.name)).size < found.length) return undefined
  const taken = namesOf(program),
    arrays: ArrayDecl[] = [],
    body: LoopStmt[] = [],
    known = new Map<string, ArrayDecl>()
  for (const f of found) {
    const key = lastKey(f),
      last = known.get(key) ?? {
        name: claimName(taken, `${f.array.name}_last`),
        type: 'i32',
        shape: extents(f),
        role: 'temp',
        space: 'global',
      }
    if (!known.has(key)) {
      arrays.push(last)
      body.push(...finding(f, last, taken))
    }
    known.set(key, last)
    body.push(...making(f, last, taken))
  }
  return {
    ...program,
    arrays: [...program.arrays, ...arrays],
    body: [...program.body.slice(0, position), ...body, ...program.body.slice(position + 1)],
  }
}

interface Under {
  readonly s: Store
  readonly loops: readonly Loop[]
  readonly guards: readonly Expr[]
}

interface ChosenStore {
  readonly array: ArrayDecl
  /** Whose iterations may meet in an element. */
  readonly loop: Loop
  /** Loops that are a subscript each. */
  readonly own: readonly Loop[]
  readonly guards: readonly Expr[]
  readonly s: Store
  /** Dimensions in which data choose. */
  readonly chosen: readonly number[]
}

/** The stores, each with the loops and conditions around; `undefined` where there is more than that. */
function storesUnder(
  body: readonly LoopStmt[],
  loops: readonly Loop[] = [],
  guards: readonly Expr[] = [],
): readonly Under[] | undefined {
  const all = body.map((s) => {
    if (s.kind === 'store') return [{ s, loops, guards }]
    if (s.kind === 'loop') return storesUnder(s.body, [...loops, s], guards)
    return s.kind === 'if' && s.else.length === 0
      ? storesUnder(s.then, loops, [...guards, ...conjuncts(s.condition)])
      : undefined
  })
  return all.every((x) => x !== undefined) ? all.flat() : undefined
}

function chosenStore(program: Program, { s, loops, guards }: Under): ChosenStore | undefined {
  const array = s.reduce ? undefined : program.arrays.find((a) => a.name === s.array)
  const chosen = s.index.flatMap((e, d) => (readsArray(e) ? [d] : [])),
    own = loops.filter((l) => s.index.some((e) => e.kind === 'var' && e.name === l.name)),
    [loop, more] = loops.filter((l) => !own.includes(l))
  if (
    array?.space !== 'global' ||
    !loops.every(isPlain) ||
    !loop ||
    more ||
    chosen.length === 0 ||
    own.length !== s.index.length - chosen.length
  )
    return undefined
  const ofOwn = (e: Expr): boolean => own.some((l) => uses(e, l.name))
  if (
    s.index.some((e, d) => (chosen.includes(d) ? ofOwn(e) : e.kind !== 'var')) ||
    guards.some(ofOwn) ||
    !array.shape.every((e) => varsOf(e).size === 0)
  )
    return undefined
  const elements = chosen.reduce((n, d) => n * plannedBound(program, array.shape[d]!), 1) // a dimension of it
  return elements <= mostElements * planned(program, loop.lower, loop.upper, 1)
    ? { array, loop, own, guards, s, chosen }
    : undefined
}

// dimensions of it
const extents = ({ array, chosen }: ChosenStore): readonly Expr[] => chosen.map((d) => array.shape[d]!)

/** Equal for stores of which the same iterations are the last. */
const lastKey = (f: ChosenStore): string =>
  [f.loop.name, ...extents(f), ...f.chosen.map((d) => f.s.index[d]!), ...f.guards]
    .map((x) => (typeof x === 'string' ? x : exprKey(x)))
    .join() // dimensions of it

/** A loop for each dimension of `last`. */
const places = (last: ArrayDecl, taken: Set<string>): readonly Loop[] =>
  last.shape.map((upper) => loopOf(claimName(taken, 'place'), upper, []))
const variables = (loops: readonly Loop[]): readonly Expr[] => loops.map((l) => loopVar(l.name))

/** `last = −1; last[p[i]] max= i`. */
function finding({ loop, guards, s, chosen }: ChosenStore, last: ArrayDecl, taken: Set<string>): readonly LoopStmt[] {
  const loops = places(last, taken),
    mark = store(
      last,
      chosen.map((d) => s.index[d]!),
      loopVar(loop.name),
      'max',
    ) // dimensions of it
  return [
    ...nest(loops, [store(last, variables(loops), int(-1))]),
    { ...loop, body: withGuard(guards, [{ ...mark, ...(s.at && { at: s.at }) }]) },
  ]
}

/** `if (last ≥ 0) a = b[last]`, for all elements. */
function making({ loop, own, s, chosen }: ChosenStore, last: ArrayDecl, taken: Set<string>): readonly LoopStmt[] {
  const loops = places(last, taken),
    at = variables(loops),
    who = read(last, at)
  const made: Store = {
    ...s,
    index: s.index.map((e, d) => (chosen.includes(d) ? at[chosen.indexOf(d)]! : e)),
    value: substitute(s.value, new Map([[loop.name, who]])),
  } // one for each
  return nest([...loops, ...own], [when(op('ge', [who, int(0)]), [made])])
}
