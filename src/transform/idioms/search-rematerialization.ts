// In: loops that keep of the best value so far what belongs to it: `if (d < best) { best = d; at = i; bx = x[i]; }`.
// Out: the loop keeps its place alone, and the rest is made of it behind the loop. The one idea is rematerialization
// (Briggs, Cooper and Torczon 1992): what can be computed again from one number need not be carried along with it; a
// search for a place is one that threads share.
import {
  isOrdering,
  choose,
  claimName,
  conjuncts,
  eachStmt,
  int,
  literal,
  loopIR,
  loopVar,
  mapBody,
  namesOf,
  op,
  pass,
  read,
  rewriteExpr,
  sameExpr,
  someExpr,
  store,
  substitute,
  type ArrayDecl,
  type Expr,
  type If,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare best: f32[] temp private
//     best = 0.0f
//     declare kept: f32[] temp private
//     kept = 0.0f
//     for i in 0 .. n {
//       if x[i] * x[i] > best {
//         best = x[i] * x[i]
//         kept = x[i]
//       }
//     }
//     y[0] = best
//     y[1] = kept
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare best: f32[] temp private
//     best = 0.0f
//     declare kept: f32[] temp private
//     kept = 0.0f
//     declare i_where: i32[] temp private
//     i_where = -1
//     for i in 0 .. n {
//       if x[i] * x[i] > best {
//         best = x[i] * x[i]
//         i_where = i
//       }
//     }
//     kept = i_where >= 0 ? x[i_where] : kept
//     y[0] = best
//     y[1] = kept
//   }
export const searchRematerialization = pass<Program>({
  name: 'search-rematerialization',
  summary: 'a search keeps the place of the best value, and what else belongs to it is made behind the loop',
  of: loopIR,
  run: rematerialized,
})

/** `p` with searches that keep their place alone. */
export function rematerialized(p: Program): Program {
  let taken: Set<string> | undefined
  // Searches by several loops have a place of several numbers: they are taken apart by rows.
  const inNests = new Set<string>()
  eachStmt(p.body, (s) => {
    const [only] = s.kind === 'loop' && s.body.length === 1 ? s.body : []
    if (only?.kind === 'loop') inNests.add(only.name)
  })
  const body = mapBody(p.body, (s) => {
    const search = s.kind === 'loop' && !inNests.has(s.name) ? searchIn(s) : undefined
    if (s.kind !== 'loop' || !search) return undefined
    const where: ArrayDecl = {
      name: claimName((taken ??= namesOf(p)), `${s.name}_where`),
      type: 'i32',
      shape: [],
      role: 'temp',
      space: 'private',
    }
    const by = new Map([[s.name, read(where, [])]]),
      isFound = op('ge', [read(where, []), int(0)])
    const only: If = { ...search.at, then: [search.best, store(where, [], loopVar(s.name))] }
    return [
      { kind: 'declare', array: where },
      store(where, [], int(-1)),
      { ...s, body: [...s.body.slice(0, -1), only] },
      ...search.kept.map((x): Store => ({ ...x, value: choose(isFound, substitute(x.value, by), readOf(x)) })),
    ]
  })
  return body === p.body ? p : { ...p, body }
}

const readOf = ({ array, value }: Store): Expr => ({ kind: 'read', type: value.type, array, index: [] })

interface Search {
  readonly at: If
  readonly best: Store
  /** What else is stored where a value is better: it follows from where that is. */
  readonly kept: readonly Store[]
}

/** The search that `loop` ends with, if it keeps more than its place; its places are not negative. */
function searchIn(loop: Loop): Search | undefined {
  const last = loop.body[loop.body.length - 1],
    locals = valuesOf(loop.body.slice(0, -1))
  if (last?.kind !== 'if' || last.else.length > 0 || !locals || (literal(loop.lower) ?? -1) < 0) return undefined
  const stores = last.then.flatMap((s) => (s.kind === 'store' && !s.reduce && s.index.length === 0 ? [s] : [])),
    names = new Set(stores.map((s) => s.array))
  if (stores.length !== last.then.length || names.size < stores.length || stores.length < 2) return undefined
  if ([...locals.values()].some((e) => readsAny(e, names)) || stores.some((s) => locals.has(s.array))) return undefined
  const asking = conjuncts(last.condition).filter((e) => readsAny(e, names)),
    [test] = asking
  if (asking.length !== 1 || test?.kind !== 'op' || !isOrdering(test.op)) return undefined
  const [a, b] = test.args as readonly [Expr, Expr] // a comparison has two sides
  const bestOf = (side: Expr, other: Expr): Store | undefined =>
    stores.find((s) => side.kind === 'read' && side.array === s.array && sameExpr(s.value, other))
  const best = bestOf(a, b) ?? bestOf(b, a)
  if (!best || readsAny(best.value, names)) return undefined
  const others = stores.filter((s) => s !== best)
  const kept = others.map((s) => ({ ...s, value: inFull(s.value, locals) }))
  if (kept.length === 1 && !kept.some((s) => someExpr(s.value, (e) => e.kind === 'read'))) return undefined // a place
  if (kept.some((s) => readsAny(s.value, names))) return undefined
  return { at: last, best, kept }
}

const readsAny = (e: Expr, names: { has(name: string): boolean }): boolean =>
  someExpr(e, (x) => x.kind === 'read' && names.has(x.array))

/** What the locals are that `body` declares and sets once each; undefined where it does anything else. */
function valuesOf(body: readonly LoopStmt[]): ReadonlyMap<string, Expr> | undefined {
  const values = new Map<string, Expr>()
  for (const s of body) {
    if (s.kind === 'declare' && s.array.shape.length === 0) continue
    if (s.kind !== 'store' || s.reduce || s.index.length > 0 || values.has(s.array)) return undefined
    values.set(s.array, inFull(s.value, values))
  }
  const declared = new Set(body.flatMap((s) => (s.kind === 'declare' ? [s.array.name] : [])))
  return [...values.keys()].every((name) => declared.has(name)) ? values : undefined
}

/** `e` without the locals. */
const inFull = (e: Expr, values: ReadonlyMap<string, Expr>): Expr =>
  rewriteExpr(e, (x) => (x.kind === 'read' ? values.get(x.array) : undefined))
