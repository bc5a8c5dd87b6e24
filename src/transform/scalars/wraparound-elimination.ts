// In: a program. Out: a variant of it for each loop that passes a value to its next iteration in a scalar (a
// wrap-around variable), in which the loop no longer does so. The one idea: in `y[i] = x[i] − p; p = x[i]`, `p` is x[i
// − 1], except in the first iteration, where it has its value from before the loop. The caller decides which variants
// to use: a loop that remains sequential gains nothing and loads from memory once more.
import {
  ceilDiv,
  choose,
  int,
  loopVar,
  mul,
  op,
  read,
  registerType,
  sub,
  add,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  eachStmt,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  readsArray,
  readsIn,
  substitute,
  storedIn,
} from '../../ir/index.ts'
import { forwardScalars, largest, nodes } from './forward-substitution.ts'
import { mentionsAny, signedSizeNames } from '../../analysis/index.ts'
import { placesFound } from '../idioms/argmin-search.ts'
import { comparedWithLast } from './last-kept.ts'
import { stateAtEnd } from './two-state-automata.ts'
import { behind } from '../idioms/scan-renaming.ts'

/** `program` with one loop rewritten, for each loop where there is something to rewrite. */
export function handedOn(program: Program): readonly Program[] {
  const taken = namesOf(program)
  return inBlock(program.body, taken, signedSizeNames(program), program.arrays).map((body) =>
    forwardScalars({ ...program, body }),
  )
}

/** The block with one of the loops in it rewritten. */
function inBlock(
  body: readonly LoopStmt[],
  taken: ReadonlySet<string>,
  signed: ReadonlySet<string>,
  arrays: readonly ArrayDecl[],
): readonly (readonly LoopStmt[])[] {
  return body.flatMap((s, at): readonly (readonly LoopStmt[])[] => {
    if (s.kind !== 'loop') return []
    const own = apart(body, at, new Set(taken), signed, arrays),
      inner = inBlock(s.body, taken, signed, arrays)
    return [
      ...(own === body ? [] : [own]),
      ...inner.map((b) => [...body.slice(0, at), { ...s, body: b }, ...body.slice(at + 1)]),
    ]
  })
}

/** Without values handed on by the loop at `at`, then without its searches; the same object where it has neither. */
function apart(
  given: readonly LoopStmt[],
  at: number,
  taken: Set<string>,
  signed: ReadonlySet<string>,
  arrays: readonly ArrayDecl[],
): readonly LoopStmt[] {
  const loop = given[at]
  if (loop?.kind !== 'loop') return given
  let body = given
  const withLast = (b: readonly LoopStmt[], now: number): readonly LoopStmt[] | undefined =>
    comparedWithLast(b, now, arrays)
  for (const rewrite of [withLast, stateAtEnd, withoutHanding, placesFound])
    for (let made: readonly LoopStmt[] | undefined = body; made; ) {
      body = made
      // what a rewrite makes may stand before it
      const now = body.findIndex((s, i) => i >= at && s.kind === 'loop' && s.name === loop.name)
      made = now < 0 ? undefined : rewrite(body, now, taken, signed)
    }
  return body
}

/**
 * One scalar that the loop reads before it sets it, in every iteration, to what memory that the loop leaves alone says.
 */
function withoutHanding(body: readonly LoopStmt[], at: number, taken: Set<string>): readonly LoopStmt[] | undefined {
  const loop = body[at]
  if (loop?.kind !== 'loop') return undefined
  const written = storedIn(loop.body)
  if (mentionsAny([loop.lower, loop.upper], written)) return undefined
  for (const s of body.slice(0, at)) {
    const value = s.kind === 'declare' ? valueHanded(s.array, loop, written) : undefined
    if (s.kind !== 'declare' || !value || nodes(value) > largest) continue
    const last = substitute(value, new Map([[loop.name, lastOf(loop)]]))
    const { set, later } = behind(
      body.slice(at + 1),
      s.array,
      choose(op('lt', [loop.lower, loop.upper]), last, read(s.array, [])),
      taken,
    )
    const inside = withValue(loop, s.array, value)
    if (inside.length > 0) return [...body.slice(0, at), { ...loop, body: inside }, ...set, ...later]
  }
  return undefined
}

/** What the loop sets the scalar to in each iteration, in terms of its variable. */
function valueHanded(a: ArrayDecl, loop: Loop, written: readonly string[]): Expr | undefined {
  if (a.space !== 'private' || a.shape.length > 0 || registerType(a.type) !== a.type || !written.includes(a.name))
    return undefined
  const set = loop.body.find((s) => s.kind === 'store' && s.array === a.name)
  let stores = 0
  eachStmt(loop.body, (s) => {
    if (s.kind === 'store' && s.array === a.name) stores++
  })
  if (
    set?.kind !== 'store' ||
    set.reduce ||
    stores !== 1 ||
    set.value.type !== a.type ||
    mentionsAny([set.value], written)
  )
    return undefined
  return readsIn(loop.body).some((r) => r.array === a.name) ? set.value : undefined
}

/** The variable in the last iteration of a loop that has one. */
const lastOf = (l: Loop): Expr =>
  l.step === 1
    ? sub(l.upper, int(1))
    : add(l.lower, mul(sub(ceilDiv(sub(l.upper, l.lower), l.step), int(1)), int(l.step)))

/** The loop's body without the scalar: before it is set it is the value of the iteration before. */
function withValue(loop: Loop, a: ArrayDecl, value: Expr): readonly LoopStmt[] {
  const before = substitute(value, new Map([[loop.name, sub(loopVar(loop.name), int(loop.step))]]))
  const handed = choose(op('gt', [loopVar(loop.name), loop.lower]), before, read(a, []))
  const put = loop.body.findIndex((s) => s.kind === 'store' && s.array === a.name)
  const as =
    (by: Expr) =>
    (e: Expr): Expr =>
      rewriteExpr(e, (x) => (x.kind !== 'read' ? undefined : x.array === a.name ? by : chosenOutside(x)))
  return loop.body.flatMap((s, k) => (k === put ? [] : [mapStmtExprs(s, as(k < put ? handed : value))]))
}

/** `a[c ? x : y]` as `c ? a[x] : a[y]`. */
function chosenOutside(e: Expr): Expr | undefined {
  const d = e.kind === 'read' ? e.index.findIndex((x) => x.kind === 'choose' && !readsArray(x.condition)) : -1,
    by = e.kind === 'read' ? e.index[d] : undefined
  if (e.kind !== 'read' || by?.kind !== 'choose') return undefined
  const at = (x: Expr): Expr => {
    const made = { ...e, index: e.index.map((old, n) => (n === d ? x : old)) }
    return chosenOutside(made) ?? made
  }
  return choose(by.condition, at(by.then), at(by.else))
}
