// In: a program. Out: the same where a local scalar that is set anew is another scalar from there on, and where a
// branch that only sets such scalars is a choice for each of them (the φ of single assignment, Cytron et al. 1991); or
// where what is made of a local sum and stored in an element is read from there by what comes next. The one idea: `s =
// Σ …; s *= c; p[i] = s; m = max(m, s)` are a sum, an element and a maximum, which different computations can be; one
// scalar ties them together.
import {
  choose,
  registerType,
  store,
  claimName,
  eachStmt,
  rewriteExpr,
  mapStmtExprs,
  namesOf,
  readsArray,
  readsIn,
  reduced,
  sameExpr,
  sets,
  someStmt,
  pass,
  loopIR,
  replaceReads,
  read,
  type ArrayDecl,
  type Declare,
  type Expr,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { mentions, mentionsAny, readsOf } from '../../analysis/index.ts'
import { renamed } from '../expansion/scalar-expansion.ts'
import { largest, nodes, valueSet } from './forward-substitution.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] inout global
//     for i in 0 .. n {
//       declare s: f32[] temp private
//       s = 0.0f
//       for k in 0 .. n {
//         s += x[k]
//       }
//       s = s * 0.5f
//       y[i] = s + s
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
//       declare s: f32[] temp private
//       s = 0.0f
//       for k in 0 .. n {
//         s += x[k]
//       }
//       declare s2: f32[] temp private
//       s2 = s * 0.5f
//       y[i] = s2 + s2
//     }
//   }
export const scalarRenaming = pass({
  name: 'scalar-renaming',
  summary:
    'a local scalar that is set anew behind what made it is another scalar from there on, if only by a condition',
  of: loopIR,
  run: anew,
})

/** Local scalars that are set anew are others from there on, as often as they are. */
export function anew(program: Program): Program {
  const taken = namesOf(program),
    declared = declaredOnce(program)
  return mapBlocks(program, (block) => {
    const made = new Set<string>()
    let body = block
    for (let i = 0; i < body.length; i++) if (body[i]!.kind === 'if') body = chosen(body, i, taken)
    for (let i = 0; i < body.length; i++) {
      const s = body[i]!
      if (isScalar(s)) body = setAnew(body, i, s, taken, made)
    }
    return stepsApart(body, declared, taken)
  })
}

/** Scalars by name, of names that one declaration has. */
function declaredOnce(program: Program): ReadonlyMap<string, ArrayDecl> {
  const all: ArrayDecl[] = []
  eachStmt(program.body, (s) => {
    if (isScalar(s)) all.push(s.array)
  })
  return new Map(all.filter((a) => all.every((b) => a === b || a.name !== b.name)).map((a) => [a.name, a]))
}

/**
 * The block where what it makes of a scalar from outside in several steps (a generator that is stepped twice an
 * iteration) is another scalar after each step but the last: what it hands on is one expression of what it was.
 */
function stepsApart(
  block: readonly LoopStmt[],
  declared: ReadonlyMap<string, ArrayDecl>,
  taken: Set<string>,
): readonly LoopStmt[] {
  let body = block
  for (const [name, array] of declared) {
    const steps = block.filter((s): s is Store => s.kind === 'store' && s.array === name)
    if (
      steps.length < 2 ||
      steps.some((s) => s.reduce) ||
      !mentions([steps[0]!.value], name) || // there are two
      block.some((s) => (s.kind === 'declare' ? s.array.name === name : s.kind !== 'store' && sets([s], name)))
    )
      continue
    for (let n = 1; n < steps.length; n++) {
      const own: ArrayDecl = { ...array, name: claimName(taken, `${name}2`) },
        at = body.findIndex((s) => s.kind === 'store' && s.array === name)
      const next = body.findIndex((s, i) => i > at && s.kind === 'store' && s.array === name)
      const [set, again] = [at, next].map((i) => body[i] as Store) as [Store, Store] // as many as there are steps
      body = [
        ...body.slice(0, at),
        { kind: 'declare', array: own },
        { ...set, array: own.name },
        ...body.slice(at + 1, next).map((s) => renamed(s, name, own.name)),
        { ...again, value: replaceReads(again.value, array.name, read(own, [])) },
        ...body.slice(next + 1),
      ]
    }
  }
  return body
}

/**
 * The next place behind what first sets the scalar declared at `at` (a loop; a plain assignment where no loop sets it),
 * where it is set again and something reads it below. A scalar that is `made` here is set by the statement behind its
 * declaration, and may be set again below that.
 */
function setAnew(
  body: readonly LoopStmt[],
  at: number,
  { array }: Declare,
  taken: Set<string>,
  made: Set<string>,
): readonly LoopStmt[] {
  const isSet = (s: LoopStmt): boolean => sets([s], array.name)
  const inLoop = body.findIndex((s, i) => i > at && s.kind === 'loop' && isSet(s)),
    plain = inLoop < 0 ? body.findIndex((s, i) => i > at && isSet(s)) : -1,
    start = body[plain]
  const first = made.has(array.name) ? at + 1 : start?.kind === 'store' && !start.reduce ? plain : inLoop
  const again = first < 0 ? -1 : body.findIndex((s, i) => i > first && isSet(s))
  const below = body.slice(again + 1),
    set = body[again],
    isBorder = inLoop < 0 && set?.kind === 'if' && !readsArray(set.condition),
    value = set && !isBorder ? valueSet(set, array.name) : undefined
  if (!value || !readsIn(below).some((r) => r.array === array.name)) return body
  const name = claimName(taken, `${array.name}2`)
  made.add(name)
  const declared: Declare = { kind: 'declare', array: { ...array, name } }
  return [
    ...body.slice(0, again),
    declared,
    store(declared.array, [], value),
    ...below.map((s) => renamed(s, array.name, name)),
  ]
}

/**
 * The block where the branch at `at`, which data decide, is a choice of each scalar that it sets; the same when it
 * does more than set scalars of this block that have a value before, or when a value would be large. Conditions on
 * places are borders, which other passes know.
 */
function chosen(body: readonly LoopStmt[], at: number, taken: Set<string>): readonly LoopStmt[] {
  const s = body[at]!,
    before = body.slice(0, at)
  if (s.kind !== 'if' || !readsArray(s.condition) || !someStmt([s], (x) => x.kind === 'store')) return body
  const own = new Map(before.filter(isScalar).map((d) => [d.array.name, d.array])),
    isKnown = (name: string): boolean => before.some((x) => x.kind === 'store' && x.array === name && !x.reduce)
  const values = valuesBehind([s], new Map(), own)
  const below = body.slice(at + 1),
    names = [...(values?.keys() ?? [])].filter((name) => own.has(name) && isNeeded(below, name))
  if (!values || names.length === 0 || !names.every(isKnown)) return body
  const renames = new Map(names.map((name) => [name, claimName(taken, `${name}2`)]))
  return [
    ...before,
    ...names.flatMap((name): LoopStmt[] => {
      const array: ArrayDecl = { ...own.get(name)!, name: renames.get(name)! } // both have the name
      return [{ kind: 'declare', array }, store(array, [], values.get(name)!)]
    }),
    ...below.map((x) => names.reduce((y, name) => renamed(y, name, renames.get(name)!), x)),
  ]
}

/** Whether a scalar is read before it is set anew. */
function isNeeded(body: readonly LoopStmt[], name: string): boolean {
  for (const s of body) {
    if (s.kind === 'if') {
      if (readsIn([{ ...s, then: [], else: [] }]).some((r) => r.array === name)) return true
      if (isNeeded(s.then, name) || isNeeded(s.else, name)) return true
      continue
    }
    if (readsIn([s]).some((r) => r.array === name) || (s.kind === 'store' && s.array === name && s.reduce)) return true
    if (s.kind === 'store' && s.array === name) return false
    if (s.kind === 'loop' && sets([s], name)) return true
  }
  return false
}

/**
 * What scalars are behind statements that set scalars alone, in terms of what they were; undefined when they do
 * anything else. `own`: scalars of the block around.
 */
function valuesBehind(
  body: readonly LoopStmt[],
  given: ReadonlyMap<string, Expr>,
  own: ReadonlyMap<string, ArrayDecl>,
): ReadonlyMap<string, Expr> | undefined {
  const values = new Map(given),
    local = new Map(own)
  const now = (name: string, type: Expr['type']): Expr =>
    values.get(name) ?? { kind: 'read', type, array: name, index: [] }
  const inline = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'read' && x.index.length === 0 ? values.get(x.array) : undefined))
  const set = (name: string, value: Expr): boolean => {
    values.set(name, value)
    return nodes(value) <= largest
  }
  for (const s of body) {
    switch (s.kind) {
      case 'declare':
        if (!isScalar(s)) return undefined
        local.set(s.array.name, s.array)
        break
      case 'store': {
        const value = inline(s.value)
        if (!local.has(s.array)) return undefined
        if (!set(s.array, s.reduce ? reduced(s.reduce, now(s.array, value.type), value) : value)) return undefined
        break
      }
      case 'if': {
        const condition = inline(s.condition),
          [then, other] = [s.then, s.else].map((x) => valuesBehind(x, values, local))
        if (!then || !other) return undefined
        for (const name of new Set([...then.keys(), ...other.keys()])) {
          const [a, b] = [then.get(name), other.get(name)],
            type = (a ?? b)!.type // one of them has it
          if (local.has(name) && a !== b && !set(name, choose(condition, a ?? now(name, type), b ?? now(name, type))))
            return undefined
        }
        break
      }
      case 'loop':
        return undefined
    }
  }
  return values
}

/**
 * What is made of a sum, or of what an element was, and stored in an element that nothing below sets is read from the
 * element below; undefined when there is nothing of that.
 */
export function readBack(program: Program): Program | undefined {
  const types = new Map(program.arrays.map((a) => [a.name, a.type]))
  const next = mapBlocks(program, (block) => {
    let body = block
    const sums = new Set(
      block.flatMap((d) =>
        isScalar(d) && block.some((s) => s.kind === 'loop' && sets([s], d.array.name)) ? [d.array.name] : [],
      ),
    )
    const updates = (s: Store): boolean =>
      s.value.kind === 'read' && s.value.index.length === 0 && isMadeOf(block, s.value.array, s.array)
    for (let i = 0; i < body.length; i++) {
      const s = body[i]!
      if (
        s.kind === 'store' &&
        !s.reduce &&
        types.get(s.array) === s.value.type &&
        !s.index.some(readsArray) &&
        (isOf(s.value, sums) || updates(s)) &&
        ![s.array, ...readsOf([s.value]).map((x) => x.array)].some((a) => sets(body.slice(i + 1), a))
      )
        body = [...body.slice(0, i + 1), ...body.slice(i + 1).map((x) => withElement(x, s))]
      if (s.kind === 'store' && updates(s)) body = withoutLocal(body, i)
    }
    return body.length === block.length && body.every((s, i) => s === block[i]) ? block : body
  })
  return next === program ? undefined : next
}

/** Whether a local scalar is set once, in the block, to what reads the array: it cannot stand where it is used. */
function isMadeOf(block: readonly LoopStmt[], local: string, array: string): boolean {
  const set = block.filter((s): s is Store => s.kind === 'store' && s.array === local)
  return (
    block.some((d) => isScalar(d) && d.array.name === local) &&
    set.length === 1 &&
    !set[0]!.reduce &&
    mentions([set[0]!.value], array)
  )
}

/** The block without the local whose value the statement at `at`, right behind it, alone uses, and stores. */
function withoutLocal(body: readonly LoopStmt[], at: number): readonly LoopStmt[] {
  const s = body[at],
    before = body[at - 1]
  if (s?.kind !== 'store' || s.value.kind !== 'read' || before?.kind !== 'store') return body
  const name = s.value.array
  if (before.array !== name || readsIn(body).filter((r) => r.array === name).length !== 1) return body
  return body.flatMap((x) =>
    x === before || (x.kind === 'declare' && x.array.name === name)
      ? []
      : [x === s ? { ...s, value: before.value } : x],
  )
}

function withElement(s: LoopStmt, { array, index, value }: Store): LoopStmt {
  let changed = false
  const next = mapStmtExprs(s, (e) =>
    rewriteExpr(e, (x) => {
      if (x.kind === 'const' || x.kind === 'var' || !sameExpr(x, value)) return undefined
      changed = true
      return { kind: 'read', array, index, type: value.type }
    }),
  )
  return changed ? next : s
}

const isOf = (e: Expr, sums: ReadonlySet<string>): boolean => mentionsAny([e], [...sums])

const isScalar = (s: LoopStmt): s is Declare =>
  s.kind === 'declare' &&
  s.array.shape.length === 0 &&
  s.array.space === 'private' &&
  registerType(s.array.type) === s.array.type

/** `f` of every block, inner ones first; the same program when no block changed. */
function mapBlocks(program: Program, f: (block: readonly LoopStmt[]) => readonly LoopStmt[]): Program {
  const block = (given: readonly LoopStmt[]): readonly LoopStmt[] => {
    const inner = given.map((s): LoopStmt => {
      if (s.kind === 'loop') {
        const body = block(s.body)
        return body === s.body ? s : { ...s, body }
      }
      if (s.kind !== 'if') return s
      const then = block(s.then),
        otherwise = block(s.else)
      return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
    })
    return f(inner.every((s, i) => s === given[i]) ? given : inner)
  }
  const body = block(program.body)
  return body === program.body ? program : { ...program, body }
}
