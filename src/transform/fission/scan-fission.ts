// In: a program and a loop at its top whose iterations hand on several numbers. Out: the loop taken apart at one of
// them: a loop that makes this number and keeps what it is in each iteration, and a loop behind it with the rest, which
// reads that. The one idea: a number that needs none of the others is a scan of its own, and what is made of its values
// may be a sum: the largest fall below the highest so far.
import {
  loopVar,
  op,
  read,
  registerType,
  store,
  when,
  claimName,
  mapStmtExprs,
  namesOf,
  readsIn,
  storedIn,
  replaceReads,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
} from '../../ir/index.ts'
import { extremeOf } from '../../analysis/index.ts'
import { forwardScalars } from '../scalars/forward-substitution.ts'
import { isPlain } from '../expansion/scalar-expansion.ts'
import { touches } from '../idioms/scan-renaming.ts'
import { rematerialized } from '../idioms/search-rematerialization.ts'

/**
 * The program with the loop at `position` of its body so taken apart, for each number where that can be done, and what
 * is left of it once more.
 */
export const runningApart = (program: Program, position: number): readonly Program[] =>
  [false, true].flatMap((moves) =>
    onceApart(program, position, moves).flatMap((made) => [made, ...onceApart(made, position + 1, moves)]),
  )

/** `moves`: starts of numbers go behind the loop that does not name them. */
function onceApart(program: Program, position: number, moves: boolean): readonly Program[] {
  const loop = program.body[position]
  if (loop?.kind !== 'loop' || !isPlain(loop)) return []
  const own = new Set(loop.body.flatMap((s) => (s.kind === 'declare' ? [s.array.name] : [])))
  const outside = [...program.arrays, ...program.body.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))]
  const numbers = outside.filter(
    (a) =>
      a.shape.length === 0 &&
      registerType(a.type) === a.type &&
      !own.has(a.name) &&
      storedIn(loop.body).includes(a.name),
  )
  return numbers.length < 2 ? [] : numbers.flatMap((a) => apartAt(program, position, loop, a, moves) ?? [])
}

/** A statement of the body: it makes the number, or uses it behind so many that do. */
interface Item {
  readonly stmt: LoopStmt
  readonly makes: boolean
  readonly behind: number
}

function apartAt(
  program: Program,
  position: number,
  loop: Loop,
  number: ArrayDecl,
  moves: boolean,
): Program | undefined {
  const taken = namesOf(program),
    at = [loopVar(loop.name)],
    kept = new Map<string, ArrayDecl>(),
    keptAs = (when_: string): ArrayDecl => {
      const known = kept.get(when_)
      if (known) return known
      const name = claimName(taken, `${number.name}_${when_}`)
      const made: ArrayDecl = { name, type: number.type, shape: [loop.upper], role: 'temp', space: 'global' }
      kept.set(when_, made)
      return made
    },
    as =
      (when_: string) =>
      (e: Expr): Expr =>
        replaceReads(e, number.name, () => read(keptAs(when_), at))
  const items = itemsOf(loop.body, number.name)
  const own = items.filter((x) => x.makes).map((x) => x.stmt),
    others = items.filter((x) => !x.makes)
  if (
    own.length === 0 ||
    storedIn(own).some((n) => n !== number.name) ||
    others.every((x) => x.stmt.kind === 'declare')
  )
    return undefined
  const both = alsoNeeded(
      own,
      others.filter((x) => x.behind === 0).map((x) => x.stmt),
      others.filter((x) => x.behind > 0).map((x) => x.stmt),
    ),
    makers = [...both, ...own]
  const written = storedIn(others.filter((x) => !both.includes(x.stmt)).map((x) => x.stmt))
  if (written.some((n) => touches(makers, n))) return undefined
  const whenBehind = (n: number): string => {
    if (n === 0) return 'before'
    return n === own.length ? 'after' : `after_${n}`
  }
  const rest = others.map((x) => mapStmtExprs(x.stmt, as(whenBehind(x.behind))))
  const asked = [...kept.values()].filter((a) => readsIn(rest).some((r) => r.array === a.name))
  const keep = (n: number): readonly LoopStmt[] => {
    const array = kept.get(whenBehind(n))
    return array && asked.includes(array)
      ? [{ ...store(array, at, read(number, [])), ...(loop.at && { at: loop.at }) }]
      : []
  }
  const making: Loop = { ...loop, body: [...keep(0), ...both, ...own.flatMap((s, n) => [s, ...keep(n + 1)])] }
  const before = program.body.slice(0, position),
    after = program.body.slice(position + 1),
    made = moves ? startsLast(before, making, rest) : [...before, making]
  return asked.length === 0
    ? undefined
    : forwardScalars(
        rematerialized({
          ...program,
          arrays: [...program.arrays, ...asked],
          body: [...made, { ...loop, body: rest }, ...after],
        }),
      )
}

/**
 * `before` and the loop `making`; behind it the starts of scalars that it does not name, last those that `rest` reads:
 * a search begins with what it compares with.
 */
function startsLast(before: readonly LoopStmt[], making: Loop, rest: readonly LoopStmt[]): readonly LoopStmt[] {
  const from = before.findLastIndex((s) => s.kind !== 'store' && s.kind !== 'declare') + 1,
    run = before.slice(from),
    set = storedIn([making])
  const isFree = (s: LoopStmt, n: number): boolean => {
    if (s.kind !== 'store' || s.index.length > 0 || s.reduce || touches([making], s.array)) return false
    const needed = readsIn([s]).map((r) => r.array),
      others = run.filter((x) => x !== s)
    return (
      [...set, ...storedIn(run.slice(n + 1))].every((name) => name !== s.array && !needed.includes(name)) &&
      !readsIn(others).some((r) => r.array === s.array)
    )
  }
  const moved = run.filter(isFree),
    isRead = (s: LoopStmt): boolean => s.kind === 'store' && readsIn(rest).some((r) => r.array === s.array)
  return [
    ...before.filter((s) => !moved.includes(s)),
    making,
    ...moved.filter((s) => !isRead(s)),
    ...moved.filter(isRead),
  ]
}

/**
 * Of the statements in front of those that make the number: what sets locals that these need, which both loops then
 * compute.
 */
function alsoNeeded(
  makers: readonly LoopStmt[],
  before: readonly LoopStmt[],
  after: readonly LoopStmt[],
): readonly LoopStmt[] {
  const locals = new Set(
    before.flatMap((s) =>
      s.kind === 'declare' && s.array.shape.length === 0 && !storedIn(after).includes(s.array.name)
        ? [s.array.name]
        : [],
    ),
  )
  let needed: readonly LoopStmt[] = []
  for (;;) {
    const more = before.filter((s) => {
      const sets = s.kind === 'declare' ? [s.array.name] : storedIn([s])
      return sets.length > 0 && sets.every((n) => locals.has(n) && touches([...needed, ...makers], n))
    })
    if (more.length === needed.length) return needed
    needed = more
  }
}

/** `if (x > s) s = x` as the greatest so far. */
function extremeStore({ condition: c, then }: If): LoopStmt | undefined {
  const [s, more] = then,
    into = s?.kind === 'store' && !more && !s.reduce && s.index.length === 0 ? s : undefined
  const which =
    into && c.kind === 'op'
      ? extremeOf(c, into.value, { kind: 'read', type: into.value.type, array: into.array, index: [] })
      : undefined
  return into && which && { ...into, reduce: which }
}

/** The statements; an `if` that makes the number and does anything else, in any arm, does that first. */
function itemsOf(body: readonly LoopStmt[], number: string): readonly Item[] {
  const all = body.flatMap((s): readonly { readonly stmt: LoopStmt; readonly makes: boolean }[] => {
    const makes = storedIn([s]).includes(number),
      [others, own] = (s.kind === 'if' && makes ? withOthersFirst(s, number) : undefined) ?? []
    if (!others || !own) return [{ stmt: s, makes }]
    return [
      { stmt: others, makes: false },
      { stmt: own, makes },
    ]
  })
  let behind = 0
  return all.map((x) => ({ ...x, behind: x.makes ? behind++ : behind }))
}

const not = (e: Expr): Expr => op('lnot', [e])

/** What an `if` does beside the number, and then the number; `undefined` where one needs the other. */
function withOthersFirst(s: If, number: string): readonly [LoopStmt, LoopStmt] | undefined {
  const arms = [s.then, s.else],
    makes = (x: LoopStmt): boolean => storedIn([x]).includes(number)
  const own = arms.map((arm) => arm.filter(makes)),
    others = arms.map((arm) => arm.filter((x) => !makes(x))),
    set = storedIn(others.flat())
  const isLate = arms.some((arm) =>
    arm.some((x, n) => !makes(x) && touches([x], number) && arm.slice(0, n).some(makes)),
  )
  if (set.length === 0 || isLate || storedIn(own.flat()).some((name) => name !== number)) return undefined
  const [thenOwn = [], elseOwn = []] = own,
    [thenOthers = [], elseOthers = []] = others
  const made = when(s.condition, thenOwn, elseOwn)
  if (set.some((name) => touches([made], name))) return undefined
  const best = elseOwn.length === 0 && made.kind === 'if' ? extremeStore(made) : undefined
  const first = thenOthers.length > 0 ? when(s.condition, thenOthers, elseOthers) : when(not(s.condition), elseOthers)
  return [first, best ?? made]
}
