// In: a loop and the statements directly before and after it. Out: what recognisers of idioms ask about it: which
// array elements an expression reads, and whether an element belongs to a single iteration. It recognises nothing
// itself.
import {
  addScaled,
  affineOf,
  coefficient,
  read,
  registerType,
  sameAffine,
  reduced,
  eachExpr,
  exprKey,
  sameExpr,
  substitute,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  type Store,
  type Read,
} from '../ir/index.ts'

export type ArraysByName = ReadonlyMap<string, ArrayDecl>

/** A loop with what stands right before and after it. */
export interface Around {
  readonly arrays: ArraysByName
  readonly parallel: readonly Loop[]
  readonly before: readonly Store[]
  readonly loop: Loop
  readonly after: readonly Store[]
}

export const isStore = (s: LoopStmt): s is Store => s.kind === 'store'

/** Whether it is affine in sizes alone. */
export function inSizes(e: Expr): boolean {
  const a = affineOf(e)
  return a !== undefined && [...a.terms.keys()].every((n) => n.startsWith('$'))
}

/** Whether a register holds elements as memory does. */
export const isWhole = (a: ArrayDecl): boolean => registerType(a.type) === a.type

/** A private scalar in place of `a`. */
export const ownScalar = (a: ArrayDecl): ArrayDecl => ({ ...a, name: `${a.name}_run`, role: 'temp', space: 'private' })

/** The store of what its reduction makes. */
export function withoutReduce(arrays: ArraysByName, s: Store): Store {
  const array = arrays.get(s.array)
  return s.reduce && array ? { ...s, reduce: null, value: reduced(s.reduce, read(array, s.index), s.value) } : s
}

/** The expressions read, of the arrays `names`, at most the element that `own` stores to. */
export function ownOnly(es: readonly Expr[], own: Store, names: readonly string[]): boolean {
  return readsOf(es).every((r) => !names.includes(r.array) || (r.array === own.array && sameIndex(r.index, own.index)))
}

/** Whether the element stands before all that the loop stores. */
export function isBefore(r: Read, s: Store, l: Loop): boolean {
  return s.index.some((e, d) => {
    const first = affineOf(substitute(e, new Map([[l.name, l.lower]]))),
      at = affineOf(r.index[d]!),
      a = affineOf(e)
    const rest = first && at && addScaled(at, first, -1)
    const c = a ? coefficient(a, l.name) : 0
    return (
      a !== undefined &&
      Math.abs(c) === 1 &&
      [...a.terms.keys()].every((n) => n === l.name || n.startsWith('$')) &&
      rest?.terms.size === 0 &&
      rest.constant * c < 0
    )
  })
}

/** The same element, as it is written. */
export const sameIndex = (a: readonly Expr[], b: readonly Expr[]): boolean =>
  a.length === b.length && a.every((e, i) => sameExpr(e, b[i]!))

/** Whether subscripts of one array are apart for sure: by a constant in some dimension. */
export const isElsewhere = (a: readonly Expr[], b: readonly Expr[]): boolean =>
  a.some((e, d) => {
    const [x, y] = [affineOf(e), affineOf(b[d]!)], // as many
      far = x && y && addScaled(x, y, -1)
    return far !== undefined && far.terms.size === 0 && far.constant !== 0
  })

/** Elements that the expressions read. */
export function readsOf(es: readonly Expr[]): readonly Read[] {
  const out: Read[] = []
  es.forEach((e) =>
    eachExpr(e, (x) => {
      if (x.kind === 'read') out.push(x)
    }),
  )
  return out
}

/** The elements that `e` reads, each once. */
export function uniqueReads(e: Expr): readonly Read[] {
  const out = new Map<string, Read>()
  for (const x of readsOf([e])) if (!out.has(exprKey(x))) out.set(exprKey(x), x)
  return [...out.values()]
}

export const mentionsAny = (es: readonly Expr[], names: readonly string[]): boolean =>
  readsOf(es).some((r) => names.includes(r.array))
export const mentions = (es: readonly Expr[], name: string): boolean => mentionsAny(es, [name])

/** Equal as linear forms. */
export const sameIndexForm = (a: Expr, b: Expr): boolean => {
  const [x, y] = [affineOf(a), affineOf(b)]
  return x !== undefined && y !== undefined && sameAffine(x, y)
}
