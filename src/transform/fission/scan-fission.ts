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
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  claimName,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  readsIn,
  storedIn,
} from '../../ir/index.ts'
import { extremeOf } from '../../analysis/index.ts'
import { forwardScalars } from '../scalars/forward-substitution.ts'
import { isPlain } from '../expansion/scalar-expansion.ts'
import { touches } from '../idioms/scan-renaming.ts'

/**
 * The program with the loop at `position` of its body so taken apart, for each number where that can be done, and what
 * is left of it once more.
 */
export const runningApart = (program: Program, position: number): readonly Program[] =>
  onceApart(program, position).flatMap((made) => [made, ...onceApart(made, position + 1)])

function onceApart(program: Program, position: number): readonly Program[] {
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
  return numbers.length < 2 ? [] : numbers.flatMap((a) => apartAt(program, position, loop, a) ?? [])
}

/** A statement of the body: it makes the number, or uses it before or after that. */
interface Item {
  readonly stmt: LoopStmt
  readonly makes: boolean
  readonly after: boolean
}

function apartAt(program: Program, position: number, loop: Loop, number: ArrayDecl): Program | undefined {
  const taken = namesOf(program),
    [before, after] = ['before', 'after'].map(
      (when_): ArrayDecl => ({
        name: claimName(taken, `${number.name}_${when_}`),
        type: number.type,
        shape: [loop.upper],
        role: 'temp',
        space: 'global',
      }),
    ) as [ArrayDecl, ArrayDecl] // two in, two out
  const at = [loopVar(loop.name)],
    as =
      (from: ArrayDecl) =>
      (e: Expr): Expr =>
        rewriteExpr(e, (x) => (x.kind === 'read' && x.array === number.name ? read(from, at) : undefined))
  const items = itemsOf(loop.body, number.name, as(before))
  const own = items?.filter((x) => x.makes).map((x) => x.stmt) ?? [],
    others = items?.filter((x) => !x.makes) ?? []
  if (
    !items ||
    own.length === 0 ||
    storedIn(own).some((n) => n !== number.name) ||
    others.every((x) => x.stmt.kind === 'declare')
  )
    return undefined
  const both = alsoNeeded(
      own,
      others.filter((x) => !x.after).map((x) => x.stmt),
      others.filter((x) => x.after).map((x) => x.stmt),
    ),
    makers = [...both, ...own]
  const written = storedIn(others.filter((x) => !both.includes(x.stmt)).map((x) => x.stmt))
  if (written.some((n) => touches(makers, n))) return undefined
  const rest = others.map((x) => mapStmtExprs(x.stmt, as(x.after ? after : before)))
  const asked = [before, after].filter((a) => readsIn(rest).some((r) => r.array === a.name))
  const keep = (a: ArrayDecl): readonly LoopStmt[] =>
    asked.includes(a) ? [{ ...store(a, at, read(number, [])), ...(loop.at && { at: loop.at }) }] : []
  const making: Loop = { ...loop, body: [...keep(before), ...makers, ...keep(after)] }
  return asked.length === 0
    ? undefined
    : forwardScalars({
        ...program,
        arrays: [...program.arrays, ...asked],
        body: [
          ...program.body.slice(0, position),
          making,
          { ...loop, body: rest },
          ...program.body.slice(position + 1),
        ],
      })
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

/**
 * The statements; those that make the number together, with nothing between them that uses it. An `if` that makes it in
 * its first arm alone is two.
 */
function itemsOf(body: readonly LoopStmt[], number: string, before: (e: Expr) => Expr): readonly Item[] | undefined {
  const all = body.flatMap((s): readonly { readonly stmt: LoopStmt; readonly makes: boolean }[] => {
    const makes = storedIn([s]).includes(number)
    if (s.kind !== 'if' || s.else.length === 0 || !makes || storedIn(s.else).includes(number))
      return [{ stmt: s, makes }]
    return [
      { stmt: extremeStore(s) ?? when(s.condition, s.then), makes },
      { stmt: when(op('lnot', [before(s.condition)]), s.else), makes: false },
    ]
  })
  const first = all.findIndex((x) => x.makes),
    last = all.findLastIndex((x) => x.makes)
  if (all.slice(first, last).some((x) => !x.makes && touches([x.stmt], number))) return undefined
  return all.map((x, n) => ({ ...x, after: n > first }))
}
