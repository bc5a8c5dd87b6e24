// pad: guarded accumulation becomes unguarded accumulation of guarded values, so that the inner loop has no branch and
// the guards can later move to where the values are loaded.
//
//   for i in 0 .. 4 { for k in 0 .. m { if i < n && k < 3 { s[i] += A[i, k] * C[k, 0] } } }
// → for i in 0 .. 4 { for k in 0 .. m {
//     s[i] += (i < n && k < 3 ? A[i, k] : 0.0f) * (k < 3 ? C[k, 0] : 0.0f) } }
//
// Side conditions: the store is a reduction into a private array, at an element that is there without the guard. Each
// conjunct moves to the reads whose index has all its variables if there it makes the value the neutral element (`add`,
// and the read is a factor of every term), or if it only keeps out elements that are never stored (all that reads the
// accumulator stands under the same condition). Every other conjunct stays around the value. A read that loses a
// conjunct on its variables is kept inside of its array by conditions of its own.
import { fail } from '../../base/index.ts'
import {
  choose,
  insideLoop,
  int,
  isNonNegative,
  op,
  sizeDomain,
  sub,
  whereHolds,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type ReduceOp,
  type Store,
  identityOf,
  zeroOf,
  conjunction,
  conjuncts,
  eachStmt,
  exprKey,
  mapBody,
  ownExprs,
  readsArray,
  sameExpr,
  varsOf,
  withGuard,
  type Read,
} from '../../ir/index.ts'
import { holds, inequalityOf, alwaysInside, signedSizeNames } from '../../analysis/index.ts'
import { declarationOf } from './stage.ts'

export interface Pad {
  /** The private accumulator. */
  readonly into: string
  /** Variables of the reduction loops: elements of `into` do not depend on them. */
  readonly reduction: readonly string[]
  /**
   * Arrays that will be staged next: the copy looks after their bounds, so that what only keeps out elements that are
   * never stored is left out.
   */
  readonly staged?: readonly string[]
  /**
   * Where a conjunct only keeps out elements that are never stored, the other reads take the nearest element inside of
   * their array, so that no load waits behind a branch and elements that several results use are loaded once.
   */
  readonly near?: boolean
  /** Which conjuncts stay around the accumulation; none by default. */
  readonly keep?: (conjunct: Expr) => boolean
}

export function pad(program: Program, { into, reduction, staged = [], near = false, keep }: Pad): Program {
  const inner = new Set(reduction)
  let done = 0
  const array = declarationOf(program, into)
  if (array.space !== 'private') fail('schedule.pad', `'${into}' is no private accumulator`)
  const unguarded = storesInside(program, array),
    results = guardsOfResults(program, into)
  const body = mapBody(program.body, (s): readonly LoopStmt[] | undefined => {
    if (s.kind !== 'if' || s.else.length > 0 || s.then.length !== 1) return undefined
    const only = s.then[0]!
    if (only.kind !== 'store' || only.array !== into || !only.reduce || !unguarded.has(only)) return undefined
    done++
    const all = conjuncts(s.condition),
      stay = keep ? all.filter(keep) : []
    return withGuard(stay, [
      {
        ...only,
        value: paddedValue(program, only, only.reduce, {
          guard: all.filter((c) => !stay.includes(c)),
          reduction: inner,
          loops: unguarded.get(only) ?? [],
          staged: new Set(staged),
          results,
          near,
          known: stay,
        }),
      },
    ])
  })
  if (done === 0) return program
  return { ...program, body }
}

/** Stores whose element is there in every iteration, guarded or not, with the loops around them. */
function storesInside(program: Program, array: ArrayDecl): ReadonlyMap<LoopStmt, readonly Loop[]> {
  const out = new Map<LoopStmt, readonly Loop[]>()
  eachStmt(program.body, (s, around) => {
    if (s.kind === 'store' && s.array === array.name && alwaysInside(array.shape, s.index, around)) out.set(s, around)
  })
  return out
}

/**
 * Conjuncts under which every result of the accumulator is read: elements that one of them keeps out are never stored.
 */
function guardsOfResults(program: Program, into: string): ReadonlySet<string> {
  let common: ReadonlySet<string> | undefined
  const walk = (body: readonly LoopStmt[], around: ReadonlySet<string>): void =>
    body.forEach((s) => {
      if (ownExprs(s).some((e) => readsOf(e).some((r) => r.array === into)))
        common = common ? new Set([...common].filter((k) => around.has(k))) : around
      if (s.kind === 'loop') walk(s.body, around)
      if (s.kind === 'if') {
        walk(s.then, new Set([...around, ...conjuncts(s.condition).map(exprKey)]))
        walk(s.else, around)
      }
    })
  walk(program.body, new Set())
  return common ?? new Set()
}

/** What is known where a store is padded. */
interface Padding {
  /** The conjuncts that move into the value. */
  readonly guard: readonly Expr[]
  /** Variables of the reduction. */
  readonly reduction: ReadonlySet<string>
  /** Around the store. */
  readonly loops: readonly Loop[]
  /** Arrays whose copies are 0 outside. */
  readonly staged: ReadonlySet<string>
  /** Keys of conjuncts under which results are stored. */
  readonly results: ReadonlySet<string>
  readonly near: boolean
  /** The conjuncts that stay. */
  readonly known: readonly Expr[]
}

function paddedValue(
  program: Program,
  s: Store,
  reduce: ReduceOp,
  { guard, reduction, loops, staged, results, near, known }: Padding,
): Expr {
  const moved = new Map<Expr, Expr[]>()
  const never = new Set<Expr>() // what such a conjunct keeps out is never stored
  const kept: Expr[] = [],
    asking = guard.filter(readsArray) // what keeps their reads inside must stand before them
  for (const c of guard) {
    const neutral = [...varsOf(c)].some((v) => reduction.has(v)),
      unseen = !neutral && results.has(exprKey(c))
    const homes = readsOf(s.value).filter((r) => [...varsOf(c)].every((v) => r.index.some((e) => varsOf(e).has(v))))
    const annihilates =
      homes.length > 0 && sameExpr(identityOf(reduce, s.value.type), zeroOf(s.value.type)) && isZeroWith(s.value, homes)
    if (unseen) never.add(c)
    if ((!unseen && !annihilates) || asking.some((g) => g !== c && [...varsOf(c)].some((v) => varsOf(g).has(v))))
      kept.push(c)
    else if (homes.length === 0)
      continue // what it keeps out is never stored
    else for (const r of homes) if (!unseen || !staged.has(r.array)) moved.set(r, [...(moved.get(r) ?? []), c])
  }
  const value = mapReads(s.value, (r) => {
    const own = moved.get(r) ?? []
    const lost = guard.filter((c) => !own.includes(c) && !kept.includes(c)),
      free = [...own, ...lost].filter((c) => never.has(c))
    const held =
      near && !staged.has(r.array) && free.length > 0 && lost.every((c) => never.has(c))
        ? nearest(
            program,
            r,
            own.filter((c) => !never.has(c)),
            known,
            loops,
          )
        : undefined
    if (held) return held
    const condition = conjunction([...own, ...(staged.has(r.array) ? [] : boundsOf(program, r, lost, loops))])
    return condition ? choose(condition, r, zeroOf(r.type)) : r
  })
  const condition = conjunction([...kept.filter((c) => !readsArray(c)), ...kept.filter(readsArray)])
  return condition ? choose(condition, value, identityOf(reduce, value.type)) : value
}

/**
 * The read where `guard` holds, else 0; of the nearest element inside of its array for all values of `loops` where
 * `known` holds, too. `undefined` where the array may have none, or data choose it.
 */
function nearest(
  program: Program,
  r: Read,
  guard: readonly Expr[],
  known: readonly Expr[],
  loops: readonly Loop[],
): Expr | undefined {
  const sizes = sizeDomain(program),
    condition = conjunction(guard)
  const { constraints } = [...guard, ...known].reduce(
    (d, c) => whereHolds(d, c, true),
    loops.reduce((d, l) => insideLoop(d, l), sizes),
  )
  const lasts = declarationOf(program, r.array).shape.map((extent) => sub(extent, int(1)))
  if (r.index.some(readsArray) || !lasts.every((last) => isNonNegative(last, sizes.constraints))) return undefined
  const index = r.index.map((e, d) => {
    const low = isNonNegative(e, constraints) ? e : op('max', [e, int(0)])
    return isNonNegative(sub(lasts[d]!, e), constraints) ? low : op('min', [low, lasts[d]!])
  })
  const held: Read = { ...r, index }
  return condition ? choose(condition, held, zeroOf(r.type)) : held
}

/**
 * What keeps the read inside of its array where conditions on its variables, or on those that their loops end at, went
 * elsewhere.
 */
function boundsOf(program: Program, r: Read, lost: readonly Expr[], loops: readonly Loop[]): readonly Expr[] {
  const free = new Set(lost.flatMap((c) => [...varsOf(c)]))
  for (const l of loops) if ([l.lower, l.upper].some((e) => [...varsOf(e)].some((v) => free.has(v)))) free.add(l.name)
  const shape = declarationOf(program, r.array).shape,
    signed = signedSizeNames(program)
  return r.index.flatMap((e, d) => {
    if (![...varsOf(e)].some((v) => free.has(v))) return []
    return [op('ge', [e, int(0)]), op('lt', [e, shape[d]!])].filter((c) => {
      const f = inequalityOf(c)
      return !f || !holds(f, [], loops, signed)
    })
  })
}

function readsOf(e: Expr): readonly Read[] {
  const out: Read[] = []
  mapReads(e, (r) => {
    out.push(r)
    return r
  })
  return out
}

/** Replaces reads by `f`, once each, not looking inside the indices of reads. */
function mapReads(e: Expr, f: (r: Read) => Expr): Expr {
  switch (e.kind) {
    case 'read':
      return f(e)
    case 'op':
      return { ...e, args: e.args.map((a) => mapReads(a, f)) }
    case 'choose':
      return { ...e, condition: mapReads(e.condition, f), then: mapReads(e.then, f), else: mapReads(e.else, f) }
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return e
  }
}

/** Whether `e` is 0 whenever the read `r` is 0, all other values being finite. */
export const isFactor = (e: Expr, r: Read): boolean => isZeroWith(e, [r])

/** Whether `e` is 0 whenever all of `reads` are 0, all other values being finite. */
function isZeroWith(e: Expr, reads: readonly Read[]): boolean {
  const zero = (x: Expr): boolean => isZeroWith(x, reads)
  if (e.kind === 'read') return reads.includes(e)
  if (e.kind === 'const') return Number(e.value) === 0
  if (e.kind !== 'op') return e.kind === 'choose' && zero(e.then) && zero(e.else)
  switch (e.op) {
    case 'mul':
    case 'and':
      return e.args.some(zero)
    case 'neg':
    case 'abs':
    case 'sign':
    case 'sqrt':
      return zero(e.args[0]!)
    case 'convert':
      return zero(e.args[0]!) || isFalseWith(e.args[0]!, reads)
    case 'div':
      return zero(e.args[0]!)
    case 'add':
    case 'sub':
    case 'min':
    case 'max':
    case 'or':
    case 'xor':
      return e.args.every(zero)
    case 'select':
      return (isFalseWith(e.args[0]!, reads) || zero(e.args[1]!)) && zero(e.args[2]!)
    default:
      return false
  }
}

/** Whether the truth value `e` is false whenever all of `reads` are 0. */
function isFalseWith(e: Expr, reads: readonly Read[]): boolean {
  const wrong = (x: Expr): boolean => isFalseWith(x, reads)
  if (e.kind === 'const') return Number(e.value) === 0
  if (e.kind !== 'op') return false
  switch (e.op) {
    case 'land':
      return e.args.some(wrong)
    case 'lor':
      return e.args.every(wrong)
    case 'ne':
      return e.args.every((x) => isZeroWith(x, reads))
    case 'select':
      return (wrong(e.args[0]!) || wrong(e.args[1]!)) && wrong(e.args[2]!)
    default:
      return false
  }
}
