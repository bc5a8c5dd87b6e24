// In: a LoopIR program and a subscript, bound or condition of it. Out: the elements of the caller's integer arrays that
// it is linear in. The one idea: a local that is stored to once is its value, and one that several statements store to
// stands for the elements that any of them does (value sets, regardless of the order of statements).
import {
  coefficients,
  eachStmt,
  isInteger,
  loopVar,
  mapExpr,
  polynomialOf,
  signedSizes,
  symbolsOf,
  type ArrayDecl,
  type Expr,
  type Polynomial,
  type Program,
  type Signed,
} from '../../ir/index.ts'

/** What is known of a program's integers. */
export interface Scope {
  readonly shapes: ReadonlyMap<string, readonly Expr[]>
  /** Sizes that may be negative. */
  readonly signed: Signed
  /** Values of locals that are stored to once. */
  readonly values: ReadonlyMap<string, Expr>
  /** Arrays whose elements others may hold, by local: variables that change, and small arrays of them (stacks). */
  readonly holders: ReadonlyMap<string, ReadonlySet<string>>
  /** Arrays of integers that the caller fills. */
  readonly given: ReadonlySet<string>
  /** Arrays whose elements are copied from another, which the caller fills. */
  readonly copies: ReadonlyMap<string, string>
}

export function scopeOf(p: Program): Scope {
  const shapes = new Map(p.arrays.map((a) => [a.name, a.shape])),
    stores = new Map<string, (Expr | null)[]>(),
    variables = new Set<string>(),
    locals = new Set(p.arrays.filter((a) => a.role === 'temp').map((a) => a.name))
  eachStmt(p.body, (s) => {
    if (s.kind === 'declare') {
      shapes.set(s.array.name, s.array.shape)
      locals.add(s.array.name)
      if (s.array.shape.length === 0) variables.add(s.array.name)
    }
    if (s.kind === 'store') stores.set(s.array, [...(stores.get(s.array) ?? []), s.reduce === null ? s.value : null])
  })
  const values = new Map(
    [...variables].flatMap((name): [string, Expr][] => {
      const all = stores.get(name) ?? []
      return all.length === 1 && all[0] ? [[name, all[0]]] : []
    }),
  )
  const integer = (a: ArrayDecl): boolean => isInteger(a.type) && (a.role === 'in' || a.role === 'inout')
  const given = new Set(p.arrays.filter(integer).map((a) => a.name))
  const copies = new Map(
    [...stores].flatMap(([name, all]): [string, string][] => {
      const [value] = all,
        from = value ? copied(value) : undefined
      return from !== undefined && all.length === 1 && !variables.has(name) && given.has(from) && from !== name
        ? [[name, from]]
        : []
    }),
  )
  const holders = holdersOf(stores, locals, given)
  return { shapes, signed: signedSizes(symbolsOf(p)), values, holders, given, copies }
}

/** The array that `value` is an element of. */
function copied(value: Expr): string | undefined {
  if (value.kind === 'op' && value.op === 'convert') return copied(value.args[0]!)
  return value.kind === 'read' ? value.array : undefined
}

/** The arrays one of whose elements `value` may be as it is, on some path. */
function sourcesOf(value: Expr): readonly string[] {
  if (value.kind === 'read') return [value.array]
  if (value.kind === 'choose') return [...sourcesOf(value.then), ...sourcesOf(value.else)]
  if (value.kind !== 'op') return []
  if (value.op === 'convert') return sourcesOf(value.args[0]!)
  return value.op === 'select' ? value.args.slice(1).flatMap(sourcesOf) : [] // a condition and two values
}

/** For each of `locals` the arrays of `given` whose elements it may hold. */
function holdersOf(
  stores: ReadonlyMap<string, readonly (Expr | null)[]>,
  locals: ReadonlySet<string>,
  given: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const held = new Map<string, Set<string>>()
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    for (const [name, all] of stores) {
      if (!locals.has(name)) continue
      const own = held.get(name) ?? new Set<string>()
      for (const from of all.flatMap((e) => (e ? sourcesOf(e) : [])))
        for (const array of given.has(from) ? [from] : (held.get(from) ?? [])) own.add(array)
      held.set(name, own)
    }
    now = [...held.values()].reduce((n, s) => n + s.size, 0)
  }
  return held
}

/** An element of one of several arrays, and what it is multiplied by. */
export interface Term {
  readonly arrays: readonly string[]
  readonly coefficient: Polynomial
  /** The variable that holds it, or the read itself. */
  readonly of: Extract<Expr, { kind: 'read' }>
}

/** `e` as a sum of elements, each times sizes, and what is left; undefined where it is none, or hangs on others. */
export function elementForm(
  scope: Scope,
  e: Expr,
): { readonly terms: readonly Term[]; readonly rest: Polynomial } | undefined {
  const atoms: Extract<Expr, { kind: 'read' }>[] = []
  const opened = (x: Expr, depth: number): Expr =>
    mapExpr(x, (y) => {
      if (y.kind === 'op' && y.op === 'convert' && y.type === 'i32') return y.args[0]!
      if (y.kind !== 'read') return y
      const value = scope.values.get(y.array)
      if (value && depth < deepest) return opened(value, depth + 1)
      atoms.push(y)
      return loopVar(`@${atoms.length - 1}`)
    })
  const form = polynomialOf(opened(e, 0)),
    split = form && coefficients(form, new Set(atoms.map((_, i) => `@${i}`)))
  if (!split) return undefined
  const terms = [...split.of].map(([name, coefficient]): Term => {
    const of = atoms[Number(name.slice(1))]! // made above
    return { arrays: arraysOf(scope, of.array), coefficient, of }
  })
  return terms.every((t) => t.arrays.length > 0) ? { terms, rest: split.rest } : undefined
}

/** Variables in each other that are opened. */
const deepest = 8

/** The arrays of the caller that what stands in `name` is an element of. */
function arraysOf(scope: Scope, name: string): readonly string[] {
  const array = scope.copies.get(name) ?? name
  return scope.given.has(array) ? [array] : [...(scope.holders.get(array) ?? [])]
}
