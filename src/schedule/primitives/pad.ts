// pad: guarded accumulation becomes unguarded accumulation of guarded values, so that the inner loop has no branch and
// the guards can later move to where the values are loaded.
//
//   for i in 0 .. 4 { for k in 0 .. m { if i < n && k < 3 { s[i] += A[i, k] * C[k, 0] } } }
// → for i in 0 .. 4 { for k in 0 .. m {
//     s[i] += (i < n && k < 3 ? A[i, k] : 0.0f) * (k < 3 ? C[k, 0] : 0.0f) } }
//
// Side conditions: the store is a reduction into a private array. Each conjunct moves to the reads whose index has all
// its variables if there it makes the value the neutral element (`add`, and the read is a factor of every term), or if
// it only keeps out elements that are never stored (it uses no reduction variable). Every other conjunct stays around the value.
import { choose, constant, type Expr, type LoopStmt, type Program, type ReduceOp, type Store } from '../../ir/index.ts'
import { identityOf } from '../nest.ts'
import { conjunction, conjuncts, mapBody, varsOf, type Read } from '../tree.ts'

export interface Pad {
  /** The private accumulator. */
  readonly into: string
  /** Variables of the reduction loops: elements of `into` do not depend on them. */
  readonly reduction: readonly string[]
}

export function pad(program: Program, { into, reduction }: Pad): Program {
  const inner = new Set(reduction)
  let done = 0
  const body = mapBody(program.body, (s): readonly LoopStmt[] | undefined => {
    if (s.kind !== 'if' || s.else.length > 0 || s.then.length !== 1) return undefined
    const only = s.then[0]!
    if (only.kind !== 'store' || only.array !== into || !only.reduce) return undefined
    done++
    return [{ ...only, value: paddedValue(only, only.reduce, conjuncts(s.condition), inner) }]
  })
  if (done === 0) return program
  return { ...program, body }
}

function paddedValue(s: Store, reduce: ReduceOp, guard: readonly Expr[], reduction: ReadonlySet<string>): Expr {
  const moved = new Map<Expr, Expr[]>()
  const kept: Expr[] = []
  for (const c of guard) {
    const neutral = [...varsOf(c)].some((v) => reduction.has(v))
    const homes = readsOf(s.value).filter((r) => [...varsOf(c)].every((v) => r.index.some((e) => varsOf(e).has(v))))
    const annihilates = reduce === 'add' && homes.length > 0 && homes.some((r) => isFactor(s.value, r))
    if (neutral && !annihilates) kept.push(c)
    else if (homes.length === 0) kept.push(c)
    else for (const r of homes) moved.set(r, [...(moved.get(r) ?? []), c])
  }
  const value = mapReads(s.value, (r) => {
    const condition = conjunction(moved.get(r) ?? [])
    return condition ? choose(condition, r, constant(r.type, zeroOf(r))) : r
  })
  const condition = conjunction(kept)
  return condition ? choose(condition, value, identityOf(reduce, value.type)) : value
}

const zeroOf = (r: Read): number | bigint => (r.type === 'i64' || r.type === 'u64' ? 0n : 0)

function readsOf(e: Expr): readonly Read[] {
  const out: Read[] = []
  mapReads(e, (r) => { out.push(r); return r })
  return out
}

/** Replaces reads by `f`, once each, not looking inside the indices of reads. */
function mapReads(e: Expr, f: (r: Read) => Expr): Expr {
  switch (e.kind) {
    case 'read': return f(e)
    case 'op': return { ...e, args: e.args.map((a) => mapReads(a, f)) }
    case 'choose': return { ...e, condition: mapReads(e.condition, f), then: mapReads(e.then, f), else: mapReads(e.else, f) }
    case 'const': case 'var': case 'size': case 'scalar': return e
  }
}

/** Whether `e` is 0 whenever the read `r` is 0, all other values being finite. */
function isFactor(e: Expr, r: Read): boolean {
  if (e === r) return true
  if (e.kind !== 'op') return false
  switch (e.op) {
    case 'mul': return e.args.some((a) => isFactor(a, r))
    case 'neg': case 'abs': case 'convert': return isFactor(e.args[0]!, r)
    case 'div': return isFactor(e.args[0]!, r)
    case 'add': case 'sub': return e.args.every((a) => isFactor(a, r))
    default: return false
  }
}
