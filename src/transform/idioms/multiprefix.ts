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
  replaceReads,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { isWhole, mentionsAny, planned, sameIndex } from '../../analysis/index.ts'
import { elementsIn, isAffordable, isPlain } from '../expansion/scalar-expansion.ts'
import { lastWriters } from './last-writer.ts'

/** Chunks, at most: there are as many whatever sizes are, so that scans of them have constant lengths. */
const mostChunks = 16384
/** Iterations of a chunk at least, as planned. */
const fewestInChunk = 64
/** Fewer chunks leave too much to each thread. */
const fewestChunks = 64

/** The program with the loop at `position` of its body so taken apart; `undefined` where it is no such loop. */
export function multiprefix(program: Program, position: number): Program | undefined {
  const given = program.body[position],
    loop = given?.kind === 'loop' && isPlain(given) ? given : undefined,
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
  const used = found.rest(read(seen, [op('div', [sinceLower, size]), op('rem', [sinceLower, size])])),
    loops = apartByPlace(used).map((stmts): Loop => ({ ...loop, body: withGuard(found.guards, stmts) }))
  const made: Program = {
    ...program,
    arrays: [...program.arrays, each, starts, seen],
    body: [...program.body.slice(0, position), ...body, ...loops, ...program.body.slice(position + 1)],
  }
  return lastWriters(made, position + body.length) ?? made
}

/** Stores where data choose, and others, where no array has both. */
function apartByPlace(stmts: readonly LoopStmt[]): readonly (readonly LoopStmt[])[] {
  const isChosen = (s: LoopStmt): boolean => s.kind === 'store' && s.index.some(readsArray),
    chosen = stmts.filter(isChosen),
    others = stmts.filter((s) => !isChosen(s)),
    names = storedIn(chosen)
  const isApart = chosen.length > 0 && others.length > 0 && !storedIn(others).some((name) => names.includes(name))
  return isApart ? [chosen, others] : [stmts]
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
  const [only, more] = loop.body.filter((s) => s.kind !== 'declare'),
    isAsked = only?.kind === 'if' && !more && only.else.length === 0,
    guards = isAsked ? conjuncts(only.condition) : [],
    body = isAsked ? only.then : loop.body
  const stored = storedIn(body),
    chosen = body.find(
      (s) => s.kind === 'store' && s.index.some(readsArray) && readsIn(body).some((r) => r.array === s.array),
    ),
    array = chosen?.kind === 'store' ? program.arrays.find((a) => a.name === chosen.array) : undefined
  if (!array || array.space !== 'global' || (array.type !== 'i32' && array.type !== 'u32')) return undefined
  if (stored.filter((name) => name === array.name).length > 1) return undefined
  return new Order(array, body, guards).counted()
}

/** The statements of an iteration in their order, as what they are in terms of the element before. */
class Order {
  private readonly locals = new Map<string, Expr | undefined>()
  private readonly before: ArrayDecl
  private count: Store | undefined
  private index: readonly Expr[] | undefined
  private isRight = true

  constructor(
    private readonly array: ArrayDecl,
    private readonly body: readonly LoopStmt[],
    private readonly guards: readonly Expr[],
  ) {
    this.before = { name: `%${array.name}`, type: array.type, shape: [], role: 'temp', space: 'private' }
  }

  counted(): Counted | undefined {
    const others: LoopStmt[] = []
    for (const s of this.body) {
      if (s.kind === 'declare' && s.array.shape.length === 0 && isWhole(s.array))
        this.locals.set(s.array.name, undefined)
      else if (s.kind !== 'store') return undefined
      else if (this.locals.has(s.array)) this.setLocal(s)
      else if (s.array === this.array.name) this.setCount(s)
      else others.push(mapStmtExprs(s, (e) => this.known(e)))
    }
    const { count, array, guards } = this,
      stored = storedIn(this.body)
    if (!count || !this.isRight || others.length === 0) return undefined
    if (mentionsAny([...guards, ...count.index, count.value], [...stored, this.before.name])) return undefined
    if (readsIn(others).some((r) => stored.includes(r.array))) return undefined
    if (!readsIn(others).some((r) => r.array === this.before.name)) return undefined
    const rest = (before: Expr): readonly LoopStmt[] =>
      others.map((s) => mapStmtExprs(s, (e) => replaceReads(e, this.before.name, before)))
    return { count, array, guards, rest }
  }

  private setLocal(s: Store): void {
    // a local is set once, and not a sum
    this.isRight &&= s.reduce === null && this.locals.get(s.array) === undefined
    this.locals.set(s.array, this.known(s.value))
  }

  /** `count[k] += v`, or what it was and v. */
  private setCount(s: Store): void {
    const index = s.index.map((e) => this.known(e)),
      value = this.known(s.value)
    const more = s.reduce === 'add' ? value : this.addedIn(value)
    this.isRight &&=
      this.count === undefined &&
      this.isIts(index) &&
      more !== undefined &&
      more.type === this.array.type &&
      (s.reduce === 'add' || s.reduce === null)
    if (more) this.count = { ...s, index, value: more, reduce: 'add' }
  }

  /** What is added to the element as it was. */
  private addedIn(value: Expr): Expr | undefined {
    const [a, b] = value.kind === 'op' && value.op === 'add' ? value.args : [],
      isOld = (e: Expr | undefined): boolean => e?.kind === 'read' && e.array === this.before.name
    if (isOld(a)) return b
    return isOld(b) ? a : undefined
  }

  private isIts(index: readonly Expr[]): boolean {
    this.index ??= index
    return sameIndex(index, this.index)
  }

  /** An expression with locals as what they are, and the element as what it was, and what was added. */
  private known(e: Expr): Expr {
    return rewriteExpr(e, (x) => {
      if (x.kind !== 'read') return undefined
      if (this.locals.has(x.array)) {
        const value = this.locals.get(x.array)
        this.isRight &&= value !== undefined
        return value
      }
      if (x.array !== this.array.name) return undefined
      this.isRight &&= this.isIts(x.index.map((i) => this.known(i)))
      const old = read(this.before, [])
      return this.count ? add(old, this.count.value) : old
    })
  }
}
