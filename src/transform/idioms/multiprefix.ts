// In: a program and a loop at its top that counts where data choose and uses how far each count is: `p[count[k[i]]++] =
// x[i]`, as stable counting sorts do. Out: loops that count for chunks of iterations, add the counts of each element
// up, and go through the chunks again from there; what uses the counts is left for itself. The one idea is the
// multiprefix operation (Ranade 1989; Sheffler 1993): chunks share nothing once each knows what those before it add to
// an element, which is a scan. Integers alone: floats would round in another order.
import {
  add,
  ceilDiv,
  claimName,
  int,
  loop as loopOf,
  loopVar,
  lt,
  mapStmtExprs,
  mul,
  namesOf,
  nest,
  op,
  read,
  readsIn,
  registerType,
  rewriteExpr,
  store,
  storedIn,
  sub,
  readsArray,
  zeroOf,
  substituteStmt,
  when,
  withGuard,
  conjuncts,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { isStore, mentionsAny, planned, sameIndex } from '../../analysis/index.ts'
import { elementsIn, isAffordable, isPlain } from '../expansion/scalar-expansion.ts'
import { lastWriters } from './last-writer.ts'
import { withoutLocals } from './stream-compaction.ts'

/** Chunks, at most: there are as many whatever sizes are, so that scans of them have constant lengths. */
const mostChunks = 16384
/** Iterations of a chunk at least, as planned. */
const fewestInChunk = 64
/** Fewer chunks leave too much to each thread. */
const fewestChunks = 64

/** The program with the loop at `position` of its body so taken apart; `undefined` where it is no such loop. */
export function multiprefix(program: Program, position: number): Program | undefined {
  const given = program.body[position],
    loop = given?.kind === 'loop' && isPlain(given) ? withoutLocals(given) : undefined,
    found = loop && countedIn(program, loop)
  if (!loop || !found) return undefined
  const { count, array } = found,
    extent = sub(loop.upper, loop.lower),
    chunks = chunksOf(program, array, planned(program, loop.lower, loop.upper, 1))
  if (!chunks) return undefined
  const taken = namesOf(program),
    number = int(chunks),
    size = ceilDiv(extent, chunks),
    temp = (name: string, shape: readonly Expr[]): ArrayDecl => ({
      name: claimName(taken, `${array.name}_${name}`),
      type: array.type,
      shape,
      role: 'temp',
      space: 'global',
    })
  const each = temp('each', [...array.shape, number]),
    starts = temp('starts', [...array.shape, number]),
    seen = temp('seen', [number, size]),
    run: ArrayDecl = { ...temp('run', []), space: 'private' }
  const chunk = loopOf(claimName(taken, 'chunk'), number, []),
    within = loopOf(claimName(taken, 'within'), size, []),
    turn = add(mul(loopVar(chunk.name), size), loopVar(within.name)),
    by = new Map([[loop.name, add(loop.lower, turn)]]),
    here = loopVar(chunk.name),
    last = int(chunks - 1)
  const inChunks = (stmts: readonly LoopStmt[]): readonly LoopStmt[] =>
    nest(
      [chunk, within],
      [
        when(
          lt(turn, extent),
          withGuard(found.guards, stmts).map((s) => substituteStmt(s, by)),
        ),
      ],
    )
  const place = array.shape.map((e) => loopOf(claimName(taken, 'place'), e, [])),
    at = place.map((l) => loopVar(l.name)),
    inTable = (table: ArrayDecl): Store => ({ ...count, array: table.name, index: [...count.index, here] })
  const old = read(starts, [...count.index, here]),
    sinceLower = sub(loopVar(loop.name), loop.lower)
  const body: readonly LoopStmt[] = [
    ...nest([...place, chunk], [store(each, [...at, here], zeroOf(registerType(array.type)))]),
    ...inChunks([inTable(each)]),
    ...nest(place, [
      { kind: 'declare', array: run },
      store(run, [], read(array, at)),
      {
        ...chunk,
        body: [store(starts, [...at, here], read(run, [])), store(run, [], read(each, [...at, here]), 'add')],
      },
    ]),
    ...nest(place, [store(array, at, add(read(starts, [...at, last]), read(each, [...at, last])))]),
    ...inChunks([store(seen, [here, loopVar(within.name)], old), inTable(starts)]),
  ]
  const rest: Loop = {
    ...loop,
    body: withGuard(
      found.guards,
      found.rest(read(seen, [op('div', [sinceLower, size]), op('rem', [sinceLower, size])])),
    ),
  }
  const made: Program = {
    ...program,
    arrays: [...program.arrays, each, starts, seen],
    body: [...program.body.slice(0, position), ...body, rest, ...program.body.slice(position + 1)],
  }
  return lastWriters(made, position + body.length) ?? made
}

/** A power of 2 of chunks that the planned iterations are worth, with a table that is worth its memory. */
function chunksOf(program: Program, array: ArrayDecl, iterations: number): number | undefined {
  const elements = elementsIn(program, array.shape)
  for (let n = mostChunks; n >= fewestChunks; n /= 2)
    if (n * fewestInChunk <= iterations && isAffordable(program, elements * n)) return n
  return undefined
}

/** What counts, and what is done with how far it has come. */
interface Counted {
  readonly count: Store
  readonly array: ArrayDecl
  readonly guards: readonly Expr[]
  /** The other statements, `before` being what the element was before the iteration. */
  readonly rest: (before: Expr) => readonly LoopStmt[]
}

function countedIn(program: Program, loop: Loop): Counted | undefined {
  const [only, more] = loop.body,
    isAsked = only?.kind === 'if' && !more && only.else.length === 0,
    guards = isAsked ? conjuncts(only.condition) : [],
    body = isAsked ? only.then : loop.body
  const counts = body.filter((s): s is Store => s.kind === 'store' && s.reduce === 'add' && s.index.some(readsArray)),
    [count, another] = counts,
    array = program.arrays.find((a) => a.name === count?.array)
  if (!count || another || !array || !body.every(isStore) || body.length < 2) return undefined
  if (array.space !== 'global' || (array.type !== 'i32' && array.type !== 'u32') || count.value.type !== array.type)
    return undefined
  const stored = storedIn(body),
    others = body.filter((s) => s !== count),
    position = body.indexOf(count)
  if (stored.filter((name) => name === array.name).length > 1) return undefined
  if (mentionsAny([...guards, ...count.index, count.value], stored)) return undefined
  const isRight = others.every((s) => {
    const own = readsIn([s])
    return own.every((r) => (r.array === array.name ? sameIndex(r.index, count.index) : !stored.includes(r.array)))
  })
  const isUsed = others.some((s) => readsIn([s]).some((r) => r.array === array.name))
  if (!isRight || !isUsed) return undefined
  const rest = (before: Expr): readonly LoopStmt[] =>
    body.flatMap((s, n) => {
      if (s === count) return []
      const value = n > position ? add(before, count.value) : before
      return [
        mapStmtExprs(s, (e) =>
          rewriteExpr(e, (x) => (x.kind === 'read' && x.array === array.name ? value : undefined)),
        ),
      ]
    })
  return { count, array, guards, rest }
}
