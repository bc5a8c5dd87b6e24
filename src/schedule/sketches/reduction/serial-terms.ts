// The sketch of parallel iterations with a sum whose terms no expression says: walks through trees, random paths,
// counted loops that data end. A block has one iteration; its threads compute terms side by side, and a tree adds up
// what they have (the owner of a row is a block instead of a thread). What stands beside the sum all threads do alike.
// It needs no array for the terms, which a distribution of the loops would.
import {
  identityOf,
  loopVar,
  int,
  mapBody,
  nest as wrap,
  perfectNest,
  read,
  registerType,
  someExprIn,
  someStmt,
  store,
  freshName,
  eachStmt,
  type ArrayDecl,
  type Loop,
  type LoopStmt,
  type Other,
  type Program,
  type ReduceOp,
} from '../../../ir/index.ts'
import { digit, fromZero, strided } from '../cyclic-distribution.ts'
import { block, type Scheduled } from '../sketch.ts'

/** A point whose blocks share the terms of an iteration. */
export type TermsPoint = {
  /** Threads of a block. */
  readonly threads: number
  readonly keep: 0
  /** Marks the point. */
  readonly shared: 1
}

/** A loop that only reduces into locals around it, and these. */
interface Sum {
  readonly loop: Loop
  readonly into: readonly { readonly array: ArrayDecl; readonly op: ReduceOp }[]
}

/** Axes of a grid. */
const axes = ['x', 'y', 'z'] as const

/** The part with the terms of each iteration shared by so many threads; `undefined` where it has no such sum. */
export function sharedTerms(program: Program, part: Other, threads: number): Scheduled | undefined {
  const [outer, more] = fromZero(part.body, part.parallel)
  if (outer?.kind !== 'loop' || more || part.parallel > axes.length) return undefined
  const { loops, body } = insideOf(outer, part.parallel),
    sums = body.flatMap((s) => (s.kind === 'loop' ? [s] : [])).map((l) => sumOf(l, body)),
    [sum] = sums
  const isPlain = body.every((s) => s === sum?.loop || isLocal(s, body, sum !== undefined && isBehind(body, sum, s)))
  if (!sum || sums.length > 1 || !isPlain) return undefined
  const blocks = loops.map((l, i): Loop => ({ ...l, bind: block(axes[loops.length - 1 - i]!) })) // as many at most
  const made = body.flatMap((s) => (s === sum.loop ? inThreads(program, sum, threads) : [s]))
  return {
    program: { ...program, body: wrap(blocks, made) },
    name: program.name,
    steps: [
      `one block of ${threads} threads per iteration of ${loops.map((l) => l.name).join(', ')}`,
      `its threads share the iterations of ${sum.loop.name}, and a tree adds up what they have`,
    ],
  }
}

/** The first `count` loops and what stands in them. */
function insideOf(outer: Loop, count: number): ReturnType<typeof perfectNest> {
  const { loops, body } = perfectNest(outer),
    inner = loops.slice(count)
  return { loops: loops.slice(0, count), body: inner.length > 0 ? wrap(inner, body) : body }
}

/** What `loop` reduces into, when its iterations share nothing else. */
function sumOf(loop: Loop, around: readonly LoopStmt[]): Sum | undefined {
  const declared = new Map(around.flatMap((s) => (s.kind === 'declare' ? [[s.array.name, s.array] as const] : []))),
    own = new Set<string>(),
    ops = new Map<string, ReduceOp | null>()
  eachStmt(loop.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
  })
  const isShared = someStmt(loop.body, (s) => {
    if (s.kind !== 'store' || own.has(s.array)) return false
    const known = ops.get(s.array)
    ops.set(s.array, s.reduce)
    return known !== undefined && known !== s.reduce
  })
  const into = [...ops].map(([name, op]) => ({ array: declared.get(name), op }))
  const isRead = someExprIn(loop.body, (x) => x.kind === 'read' && ops.has(x.array))
  if (isShared || isRead || into.length === 0 || !into.every(isReduced)) return undefined
  return { loop, into }
}

const isReduced = (x: {
  readonly array: ArrayDecl | undefined
  readonly op: ReduceOp | null
}): x is Sum['into'][number] =>
  x.array !== undefined &&
  x.array.shape.length === 0 &&
  registerType(x.array.type) === x.array.type &&
  (x.op === 'add' || x.op === 'min' || x.op === 'max')

const isBehind = (body: readonly LoopStmt[], sum: Sum, s: LoopStmt): boolean => body.indexOf(s) > body.indexOf(sum.loop)

/** Whether all threads may do it alike: it stores to locals, or behind the sum to elements. */
function isLocal(s: LoopStmt, body: readonly LoopStmt[], isBehindSum: boolean): boolean {
  if (s.kind === 'declare') return s.array.shape.length === 0
  if (s.kind !== 'store' || (s.reduce && s.index.length > 0)) return false
  return isBehindSum || body.some((x) => x.kind === 'declare' && x.array.name === s.array)
}

/** The loop dealt out to the threads of a block, each with parts of its own. */
function inThreads(program: Program, { loop, into }: Sum, count: number): readonly LoopStmt[] {
  const t = digit(count, 1),
    own = [loopVar(t.name)]
  const all = into.map(({ array, op }) => ({
    array,
    op,
    part: { ...array, name: freshName(program, `part_of_${array.name}`), shape: [int(count)] },
    total: { ...array, name: freshName(program, `all_of_${array.name}`) },
    zero: identityOf(op, registerType(array.type)),
  }))
  const parts = new Map(all.map((x) => [x.array.name, x.part.name])),
    onParts = mapBody(strided(loop, t).body, (s) => {
      const name = s.kind === 'store' ? parts.get(s.array) : undefined
      return s.kind === 'store' && name !== undefined ? [{ ...s, array: name, index: own }] : undefined
    })
  return [
    ...all.flatMap((x): readonly LoopStmt[] => [
      { kind: 'declare', array: x.total },
      { kind: 'declare', array: x.part },
      store(x.total, [], x.zero),
    ]),
    ...wrap([t], [...all.map((x) => store(x.part, own, x.zero)), { ...strided(loop, t), body: onParts }]),
    ...all.flatMap((x) => wrap([t], [store(x.total, [], read(x.part, own), x.op)])),
    ...all.map((x) => store(x.array, [], read(x.total, []), x.op)),
  ]
}
