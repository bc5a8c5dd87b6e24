// In: a program. Out: the same without local scalars that are set once: their value stands where they were read. The
// one idea: names that people give to subexpressions, and branches that only choose a value, should not keep
// computations from their canonical form. It leaves alone what is set more than once, what is large, what reads memory
// that changes before the use, and types that setting makes narrower.
import {
  choose,
  opRow,
  registerType,
  reduced,
  eachExpr,
  someExpr,
  eachStmt,
  rewriteExpr,
  mapStmtExprs,
  ownExprs,
  sameExpr,
  sets,
  pass,
  loopIR,
  someStmt,
  someExprIn,
  replaceReads,
  type Expr,
  type If,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       declare t: f32[] temp private
//       t = x[i] + 1.0f
//       y[i] = t * t
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       y[i] = (x[i] + 1.0f) * (x[i] + 1.0f)
//     }
//   }
export const forwardSubstitution = pass({
  name: 'forward-substitution',
  summary: 'the value of a scalar that is set once stands where the scalar was read',
  of: loopIR,
  run: forwardScalars,
})

/** Nodes of the largest expression that is written out at every use. It bounds how texts grow, and is not measured. */
export const largest = 40
/** Nodes that the uses of a larger one may become together. */
const largestTogether = 400

/** Replaces reads of scalars that are set once by their value, in every block. */
export function forwardScalars(program: Program): Program {
  const body = forwardBlock(program.body)
  return body === program.body ? program : { ...program, body }
}

function forwardBlock(block: readonly LoopStmt[]): readonly LoopStmt[] {
  const given = settled(withChains(withConstants(block)))
  let body = given
  for (let i = 0; i < body.length; i++) {
    const s = body[i]!
    if (
      s.kind !== 'declare' ||
      s.array.shape.length > 0 ||
      s.array.space !== 'private' ||
      registerType(s.array.type) !== s.array.type
    )
      continue
    const at = body.findIndex((x) => x.kind === 'store' && x.array === s.array.name)
    const set = at < 0 ? undefined : (body[at] as Store) // found as a store
    if (set && forwardable(set, body, at)) body = replaced(body, i--, at, set)
  }
  let changed = body !== given
  const out = body.map((s): LoopStmt => {
    if (s.kind === 'loop') {
      const inner = forwardBlock(s.body)
      if (inner === s.body) return s
      changed = true
      return { ...s, body: inner }
    }
    if (s.kind !== 'if') return s
    const then = forwardBlock(s.then),
      otherwise = forwardBlock(s.else)
    const next = then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
    const joined = joinedBranches(next) ?? next
    if (joined !== s) changed = true
    return joined
  })
  return changed || given !== block ? out : block
}

/** Reads of scalars that hold a constant, as far as the block has set them itself. */
function withConstants(body: readonly LoopStmt[]): readonly LoopStmt[] {
  const known = new Map<string, Expr>()
  const f = (e: Expr): Expr =>
    rewriteExpr(e, (x) =>
      x.kind === 'read' && x.index.length === 0 && known.get(x.array)?.type === x.type ? known.get(x.array) : undefined,
    )
  let changed = false
  const out = body.map((s): LoopStmt => {
    if (s.kind !== 'store')
      eachStmt([s], (x) => {
        if (x.kind === 'store' || x.kind === 'declare') known.delete(x.kind === 'store' ? x.array : x.array.name)
      })
    const next = known.size > 0 ? mapStmtExprs(s, f) : s,
      same =
        next.kind === 'store' &&
        s.kind === 'store' &&
        next.value === s.value &&
        next.index.every((e, d) => e === s.index[d])
    if (s.kind === 'store') known.delete(s.array)
    if (next.kind === 'store' && !next.reduce && next.index.length === 0 && next.value.kind === 'const')
      known.set(next.array, next.value)
    if (s.kind === 'store' ? same : !readsAny(s, known)) return s
    changed = true
    return next
  })
  return changed ? out : body
}

const readsAny = (s: LoopStmt, names: ReadonlyMap<string, Expr>): boolean =>
  someExprIn([s], (r) => r.kind === 'read' && names.has(r.array))

/** `x = a; x max= b` of a local scalar, one behind the other, as one store. */
function withChains(body: readonly LoopStmt[]): readonly LoopStmt[] {
  const locals = new Set(
    body.flatMap((s) =>
      s.kind === 'declare' &&
      s.array.shape.length === 0 &&
      s.array.space === 'private' &&
      registerType(s.array.type) === s.array.type
        ? [s.array.name]
        : [],
    ),
  )
  const out: LoopStmt[] = []
  for (const s of body) {
    const last = out[out.length - 1]
    const joins =
      last?.kind === 'store' &&
      s.kind === 'store' &&
      s.reduce &&
      last.array === s.array &&
      !last.reduce &&
      locals.has(s.array) &&
      !mentions({ ...s, index: [], array: '' }, s.array)
    if (joins)
      out[out.length - 1] = { ...last, value: reduced(s.reduce!, last.value, s.value) } // it joins
    else out.push(s)
  }
  return out.length === body.length ? body : out
}

/**
 * Local scalars that a loop sums, and what is done with the sum afterwards (`s >>= 4; if (s < 0) s = 0;`): later reads
 * are of that, the sum is set no more. Values are small, and no loop uses them, which would compute them again and
 * again.
 */
function settled(body: readonly LoopStmt[]): readonly LoopStmt[] {
  let out = body
  for (const s of body) {
    if (
      s.kind === 'declare' &&
      s.array.shape.length === 0 &&
      s.array.space === 'private' &&
      registerType(s.array.type) === s.array.type
    )
      out = settledOne(out, s.array.name)
  }
  return out
}

function settledOne(body: readonly LoopStmt[], name: string): readonly LoopStmt[] {
  const sum = body.findLastIndex((s) => s.kind === 'loop' && sets([s], name)),
    behind = body.slice(sum + 1)
  if (sum < 0 || !behind.some((s) => sets([s], name)) || behind.some((s) => s.kind === 'loop' && usesOf([s], name) > 0))
    return body
  let value: Expr | undefined
  const out: LoopStmt[] = [],
    inline = (e: Expr): Expr => (value ? replaceReads(e, name, value) : e)
  for (const s of behind) {
    const set = sets([s], name) ? valueSet(s, name) : undefined
    if (sets([s], name) && !set) return body
    if (set) {
      value = inline(set)
      if (nodes(value) > largest || readsOthers(value, name)) return body
    } else out.push(value ? mapStmtExprs(s, inline) : s)
  }
  return [...body.slice(0, sum + 1), ...out]
}

const readsOthers = (e: Expr, name: string): boolean => {
  return someExpr(e, (x) => x.kind === 'read' && x.array !== name)
}

/** What the scalar is after the statement, a store or a condition on one, which sets it alone. */
export function valueSet(s: LoopStmt, name: string): Expr | undefined {
  if (s.kind === 'store')
    return s.reduce ? reduced(s.reduce, { kind: 'read', type: s.value.type, array: name, index: [] }, s.value) : s.value
  const [only, more] = s.kind === 'if' ? s.then : []
  if (s.kind !== 'if' || s.else.length > 0 || more || only?.kind !== 'store' || only.array !== name) return undefined
  const now = valueSet(only, name)
  return now && choose(s.condition, now, { kind: 'read', type: now.type, array: name, index: [] })
}

/** `if (c) X = a; else X = b` as one store of a choice. */
function joinedBranches(s: If): LoopStmt | undefined {
  const [a, b] = [s.then[0], s.else[0]]
  if (s.then.length !== 1 || s.else.length !== 1 || a?.kind !== 'store' || b?.kind !== 'store') return undefined
  const alike = a.array === b.array && a.reduce === b.reduce && a.index.every((e, d) => sameExpr(e, b.index[d]!))
  return alike ? { ...a, value: choose(s.condition, a.value, b.value) } : undefined
}

/** Set here and nowhere else, read only below, small, and what its value reads does not change below. */
function forwardable(set: Store, body: readonly LoopStmt[], at: number): boolean {
  const size = nodes(set.value),
    uses = usesOf(body.slice(at + 1), set.array)
  if (set.reduce || (size > largest && (size * uses > largestTogether || (uses > 1 && isDear(set.value))))) return false
  const reads = new Set<string>()
  eachExpr(set.value, (e) => {
    if (e.kind === 'read') reads.add(e.array)
  })
  if (reads.has(set.array)) return false
  return (
    !someStmt(body.slice(0, at), (s) => mentions(s, set.array)) &&
    !someStmt(body.slice(at + 1), (s) => s.kind === 'store' && (s.array === set.array || reads.has(s.array)))
  )
}

/** Of whose operations one takes as long as many others: what shares such a value stays together. */
const isDear = (e: Expr): boolean =>
  someExpr(e, (x) => x.kind === 'op' && (x.op === 'div' || x.op === 'rem' || opRow(x.op).class === 'sfu'))

function mentions(s: LoopStmt, array: string): boolean {
  let hit = s.kind === 'store' && s.array === array
  ownExprs(s).forEach((e) =>
    eachExpr(e, (x) => {
      if (x.kind === 'read' && x.array === array) hit = true
    }),
  )
  return hit
}

/** How many expressions read the scalar; one in a loop counts for many. */
function usesOf(body: readonly LoopStmt[], name: string): number {
  let n = 0
  eachStmt(body, (s, around) =>
    ownExprs(s).forEach((e) =>
      eachExpr(e, (x) => {
        if (x.kind === 'read' && x.array === name) n += around.length > 0 || s.kind === 'loop' ? 2 : 1
      }),
    ),
  )
  return n
}

/** How many nodes an expression has; what sizes alone make is computed once for all, and is one. */
export function nodes(e: Expr): number {
  let n = 0
  const visit = (x: Expr): void => {
    n++
    if (x.kind === 'op' && !isOfSizes(x)) x.args.forEach(visit)
    if (x.kind === 'read') x.index.forEach(visit)
    if (x.kind === 'choose') [x.condition, x.then, x.else].forEach(visit)
  }
  visit(e)
  return n
}

const isOfSizes = (e: Expr): boolean =>
  e.kind === 'size' || e.kind === 'const' || (e.kind === 'op' && e.args.every(isOfSizes))

function replaced(body: readonly LoopStmt[], declare: number, at: number, set: Store): readonly LoopStmt[] {
  const inline = (e: Expr): Expr => replaceReads(e, set.array, set.value)
  return body.flatMap((s, i) => (i === declare || i === at ? [] : [i > at ? mapStmtExprs(s, inline) : s]))
}
