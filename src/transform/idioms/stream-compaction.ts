// In: a program and a loop at its top each of whose iterations packs what passes a test behind what those before have
// packed: compressed rows of a matrix, lists of neighbours. Out: loops that count for each iteration, find where each
// begins, and pack. The one idea: with its beginning known an iteration needs none of the others, and no two pack into
// one place.
import {
  constant,
  literal,
  loopVar,
  read,
  registerType,
  store,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
  zeroOf,
  claimName,
  conjuncts,
  rewriteExpr,
  sameExpr,
  mapStmtExprs,
  namesOf,
  readsIn,
  withGuard,
  storedIn,
} from '../../ir/index.ts'
import { isStore, mentionsAny } from '../../analysis/index.ts'
import { isPlain } from '../expansion/scalar-expansion.ts'
import { redirected } from './scan-renaming.ts'

/** The program with the loop at `position` of its body so taken apart; `undefined` where it is no such loop. */
export function packedRows(program: Program, position: number): Program | undefined {
  const loop = program.body[position]
  if (loop?.kind !== 'loop' || !isPlain(loop)) return undefined
  const at = loop.body.findIndex((s) => s.kind === 'loop'),
    found = loop.body[at],
    before = loop.body.slice(0, at),
    after = loop.body.slice(at + 1),
    inner = found?.kind === 'loop' ? withoutLocals(found) : undefined
  if (inner?.kind !== 'loop' || ![...before, ...after].every(isStore)) return undefined
  const count = countIn(inner),
    counter =
      count &&
      [...program.arrays, ...program.body.flatMap((s) => (s.kind === 'declare' ? [s.array] : []))].find(
        (a) => a.name === count.s.array,
      )
  const packed = storedIn([inner]),
    outside = storedIn([...before, ...after])
  if (
    !count ||
    !counter ||
    packed.length < 2 ||
    outside.some((name) => packed.includes(name)) ||
    !apart({ ...loop, body: [...before, inner, ...after] }, inner, count, [...packed, ...outside])
  )
    return undefined
  const taken = namesOf(program),
    row = [loopVar(loop.name)],
    temp = (name: string): ArrayDecl => ({
      name: claimName(taken, `${counter.name}_${name}`),
      type: counter.type,
      shape: [loop.upper],
      role: 'temp',
      space: 'global',
    })
  if (counter.type !== 'i32' && counter.type !== 'u32') return undefined
  const counts = temp('count'),
    starts: ArrayDecl = { ...temp('start'), starts: true },
    own: ArrayDecl = {
      name: claimName(taken, `${counter.name}_own`),
      type: counter.type,
      shape: [],
      role: 'temp',
      space: 'private',
    }
  const around = (body: readonly LoopStmt[]): Loop => ({ ...loop, body })
  const zero: Store = { ...store(counts, row, zeroOf(counter.type)), ...(count.s.at && { at: count.s.at }) }
  const counting = around([
      zero,
      { ...inner, body: withGuard(count.guards, [{ ...count.s, array: counts.name, index: row }]) },
    ]),
    first = startsAt(program.body, position, counting)
  const made = [
    around([store(starts, row, read(counter, [])), ...before, { ...count.s, value: read(counts, row) }, ...after]),
    around([
      { kind: 'declare', array: own },
      store(own, [], read(starts, row)),
      { ...inner, body: inner.body.map((s) => redirected(s, counter, own)) },
    ]),
  ]
  return {
    ...program,
    arrays: [...program.arrays, counts, starts],
    body: [
      ...program.body.slice(0, first),
      counting,
      ...program.body.slice(first, position),
      ...made,
      ...program.body.slice(position + 1),
    ],
  }
}

/**
 * From where on there are stores, right before the loop, that `counting` does not need: they stay with what they start.
 */
function startsAt(body: readonly LoopStmt[], position: number, counting: Loop): number {
  const reads = readsIn([counting]).map((r) => r.array)
  let at = position
  for (let s = body[at - 1]; s?.kind === 'store' && !reads.includes(s.array); s = body[at - 1]) at--
  return at
}

/** The loop with values in place of its own scalars that it sets once, first of all. */
function withoutLocals(l: Loop): Loop | undefined {
  const values = new Map<string, Expr>(),
    own = new Set(
      l.body.flatMap((s) =>
        s.kind === 'declare' && s.array.shape.length === 0 && registerType(s.array.type) === s.array.type
          ? [s.array.name]
          : [],
      ),
    )
  const known = (e: Expr): Expr => rewriteExpr(e, (x) => (x.kind === 'read' ? values.get(x.array) : undefined))
  let body = l.body
  for (let s = body[0]; s && (s.kind === 'declare' || (s.kind === 'store' && own.has(s.array))); s = body[0]) {
    if (s.kind === 'store') {
      if (s.reduce || values.has(s.array)) return undefined
      values.set(s.array, known(s.value))
    }
    body = body.slice(1)
  }
  const made = { ...l, body: body.map((s) => mapStmtExprs(s, known)) }
  return storedIn(made.body).some((name) => own.has(name)) ||
    readsIn(made.body).some((r) => own.has(r.array)) ||
    readsIn(made.body).length > mostReads
    ? undefined
    : made
}

/** Reads in all expressions together. */
const mostReads = 64

interface Count {
  readonly s: Store
  readonly guards: readonly Expr[]
}

/**
 * What counts in an iteration, as one store with the conditions around it: all that is added under the same conditions.
 * What else there is are stores under conditions.
 */
function countIn(inner: Loop): Count | undefined {
  const all: Count[] = []
  const look = (body: readonly LoopStmt[], guards: readonly Expr[]): boolean =>
    body.every((s) => {
      if (s.kind === 'store') {
        if (s.index.length === 0) all.push({ s, guards })
        return s.index.length === 0 || !s.reduce
      }
      return s.kind === 'if' && s.else.length === 0 && look(s.then, [...guards, ...conjuncts(s.condition)])
    })
  const [first] = look(inner.body, []) ? all : []
  if (!first) return undefined
  const isAlike = ({ s, guards }: Count): boolean =>
    s.array === first.s.array &&
    s.reduce === 'add' &&
    (literal(s.value) ?? 0) > 0 &&
    guards.length === first.guards.length &&
    guards.every((g, i) => sameExpr(g, first.guards[i]!)) // as many
  if (!all.every(isAlike)) return undefined
  const sum = all.reduce((n, { s }) => n + (literal(s.value) ?? 0), 0)
  return { s: { ...first.s, value: constant(first.s.value.type, sum) }, guards: first.guards }
}

/** Whether nothing that is stored is read by anything in the loop, but the counter by what is stored. */
function apart(loop: Loop, inner: Loop, { s, guards }: Count, stored: readonly string[]): boolean {
  const others = stored.filter((name) => name !== s.array)
  const values: Expr[] = [],
    tests: Expr[] = [...guards, inner.lower, inner.upper]
  const look = (body: readonly LoopStmt[]): void =>
    body.forEach((x) => {
      if (x.kind === 'store') values.push(x.value, ...x.index)
      if (x.kind === 'if') {
        tests.push(x.condition)
        look([...x.then, ...x.else])
      }
      if (x.kind === 'loop') {
        tests.push(x.lower, x.upper)
        look(x.body)
      }
    })
  look(loop.body)
  return !mentionsAny(values, others) && !mentionsAny(tests, stored)
}
