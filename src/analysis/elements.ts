// In: a LoopIR program. Out: what elements of its integer arrays may be, where they choose subscripts or ends of loops, so
// that every subscript stays in its array. The one idea: a subscript that is linear in one element and in loop variables
// bounds that element by the array's extent; who makes up data for a program needs no more.
import {
  accesses, add, addScaled, affineExpr, affineName, affineOf, extreme, int, loopVar, mapExpr, mapStmts, op, sub,
  type Access, type Affine, type ArrayDecl, type ElementRange, type Expr, type Loop, type Program,
} from '../ir/index.ts'

/** Ranges of elements by array, over sizes; arrays that choose nothing are not in it. */
export function elementRanges(p: Program): ReadonlyMap<string, ElementRange> {
  const found = new Map<string, ElementRange>()
  const note = (array: string, low: Expr, high: Expr, sorted: boolean): void => {
    const before = found.get(array)
    found.set(array, before ? { low: op('max', [before.low, low]), high: op('min', [before.high, high]), sorted: before.sorted || sorted } : { low, high, sorted })
  }
  const scope = scopeOf(p)
  for (const a of accesses(p)) {
    const shape = scope.shapes.get(a.array)
    a.index.forEach((e, d) => {
      const extent = shape?.[d]
      if (!extent) return
      subscript(scope, a, e, extent, note)
      for (const l of a.loops) ends(scope, a, l, e, extent, note)
    })
  }
  return found
}

interface Scope {
  readonly shapes: ReadonlyMap<string, readonly Expr[]>
  /** Values of locals that are stored to once. */
  readonly values: ReadonlyMap<string, Expr>
  /** Arrays of integers that the caller fills. */
  readonly given: ReadonlySet<string>
}

type Note = (array: string, low: Expr, high: Expr, sorted: boolean) => void

function scopeOf(p: Program): Scope {
  const shapes = new Map(p.arrays.map((a) => [a.name, a.shape]))
  const stores = new Map<string, (Expr | null)[]>(), locals = new Set<string>()
  const declared = (a: ArrayDecl): void => { shapes.set(a.name, a.shape); if (a.shape.length === 0) locals.add(a.name) }
  mapStmts(p.body, (e) => e, (s) => {
    if (s.kind === 'declare') declared(s.array)
    if (s.kind === 'store') stores.set(s.array, [...(stores.get(s.array) ?? []), s.reduce === null ? s.value : null])
    return [s]
  })
  const values = new Map([...locals].flatMap((name): [string, Expr][] => { const all = stores.get(name) ?? []; return all.length === 1 && all[0] ? [[name, all[0]]] : [] }))
  const integer = (a: ArrayDecl): boolean => /^[iu]\d+$/.test(a.type) && (a.role === 'in' || a.role === 'inout')
  return { shapes, values, given: new Set(p.arrays.filter(integer).map((a) => a.name)) }
}

/** A linear form in loop variables, sizes and one element of an array. */
interface WithElement {
  readonly array: string
  readonly coefficient: number
  readonly rest: Affine
}

function withElement(scope: Scope, e: Expr): WithElement | undefined {
  const atoms: string[] = []
  const opened = (x: Expr, depth: number): Expr => mapExpr(x, (y) => {
    if (y.kind === 'op' && y.op === 'convert' && y.type === 'i32') return y.args[0]!
    if (y.kind !== 'read') return y
    const value = scope.values.get(y.array)
    if (value && depth < 8) return opened(value, depth + 1)
    atoms.push(y.array)
    return loopVar(`@${atoms.length - 1}`)
  })
  const form = affineOf(opened(e, 0))
  const used = [...(form?.terms ?? [])].filter(([name]) => name.startsWith('@'))
  const [only] = used
  const array = only && atoms[Number(only[0].slice(1))]
  if (!form || !only || used.length > 1 || array === undefined || !scope.given.has(array)) return undefined
  return { array, coefficient: only[1], rest: addScaled(form, affineName(only[0]), -only[1]) }
}

/** 0 ≤ c·element + rest < extent for all values of the loops. */
function subscript(scope: Scope, a: Access, e: Expr, extent: Expr, note: Note): void {
  const form = withElement(scope, e)
  const low = form && extreme(form.rest, a.loops, 'low'), high = form && extreme(form.rest, a.loops, 'high')
  if (!form || !low || !high) return
  const c = Math.abs(form.coefficient)
  const from = sub(int(0), affineExpr(low)), below = sub(extent, affineExpr(high)) // c·element from `from` and below `below`
  const up = (x: Expr): Expr => (c === 1 ? x : op('div', [add(x, int(c - 1)), int(c)]))
  if (form.coefficient > 0) note(form.array, up(from), up(below), false)
  else note(form.array, add(sub(int(0), up(below)), int(1)), add(sub(int(0), up(from)), int(1)), false)
}

/** Ends of the loop `l` that data choose: whatever its variable indexes stays in range. The two ends from one array: that one rises. */
function ends(scope: Scope, a: Access, l: Loop, e: Expr, extent: Expr, note: Note): void {
  const form = affineOf(e)
  if (form?.terms.get(l.name) !== 1) return
  const rest = addScaled(form, affineName(l.name), -1)
  const others = a.loops.filter((x) => x !== l)
  const low = extreme(rest, others, 'low'), high = extreme(rest, others, 'high')
  const first = withElement(scope, l.lower), last = withElement(scope, l.upper)
  if (!low || !high) return
  for (const end of [first, last]) {
    if (end?.coefficient !== 1 || [...end.rest.terms.keys()].some((n) => !n.startsWith('$'))) continue
    const from = sub(sub(int(0), affineExpr(low)), affineExpr(end.rest)), most = sub(sub(extent, affineExpr(high)), affineExpr(end.rest))
    note(end.array, from, add(most, int(1)), first !== undefined && first.array === last?.array)
  }
}
