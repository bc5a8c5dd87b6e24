// In: a loop and an array that its body reads. Out: the box of elements that one iteration of the loop reads, with the
// guards under which it reads them. The one idea: each index is (part that is fixed during the iteration) + (part of
// the loops inside, of constant range); the second part spans the box.
import { inapplicable, isInapplicable, type Inapplicable } from '../../base/index.ts'
import {
  add,
  addScaled,
  affineConstant,
  affineExpr,
  affineOf,
  loopVar,
  op,
  registerType,
  sameAffine,
  sub,
  type Affine,
  type ArrayDecl,
  type Expr,
  type Loop,
  type LoopStmt,
  conjuncts,
  ownExprs,
  sameExpr,
  substitute,
  uses,
  type Read,
} from '../../ir/index.ts'
import { inequalityOf } from '../inequality.ts'
import { innerRange } from '../legality.ts'

/** One read with what stands around it inside the loop. */
export interface ReadSite {
  readonly read: Read
  /** Loops inside, around the read, outermost first. */
  readonly inner: readonly Loop[]
  /** Conjuncts of the `choose` directly around the read. */
  readonly guards: readonly Expr[]
  readonly dims: readonly Dim[]
}

interface Dim {
  readonly outer: Affine
  readonly inner: Affine
  readonly low: number
  readonly high: number
  /**
   * Where the index is no linear form itself but clamps, mirrors or wraps one, or adds something fixed that is none:
   * what it does with it, which is the variable `place`. The rest is of the form.
   */
  readonly through?: Expr
}

/** The variable of `Dim.through`: no name of a program. */
const placeName = '@place',
  place = loopVar(placeName)

export interface Footprint {
  readonly sites: readonly ReadSite[]
  /** First element of the box in each dimension: affine in what is fixed during an iteration. */
  readonly base: readonly Affine[]
  readonly extents: readonly number[]
  /** Per dimension, what all reads do with the place that the box is of, where that is not the index itself. */
  readonly through: readonly (Expr | undefined)[]
}

/** The element that stands at `at` of dimension `d` of the box's places. */
export const elementAt = (f: Footprint, d: number, at: Expr): Expr => {
  const e = f.through[d]
  return e ? substitute(e, new Map([[placeName, at]])) : at
}

/** Sites as they are found, and the first reason why one has no place in a box. */
interface Found {
  readonly sites: ReadSite[]
  why?: Inapplicable
}

/**
 * The box of `array` read in `body`; `clamped`: it may be of places that the indices clamp. Or, in words, which index
 * is not affine or which parts do not line up.
 */
export function footprint(
  array: ArrayDecl,
  body: readonly LoopStmt[],
  around: readonly Loop[] = [],
  clamped = false,
): Footprint | Inapplicable {
  const sites = readSites(array.name, body, around, clamped)
  if (isInapplicable(sites)) return sites
  if (sites.length === 0) return inapplicable('schedule.stage', `'${array.name}' is not read there`)
  return footprintOf(array, sites)
}

/** The box of the elements of `sites`, or why they do not lie in one. */
export function footprintOf(array: ArrayDecl, sites: readonly ReadSite[]): Footprint | Inapplicable {
  const dims: Side[] = []
  for (const d of array.shape.keys()) {
    const side = sideOf(
      array.name,
      sites.map((s) => s.dims[d]!), // sites have a subscript for each
    )
    if (isInapplicable(side)) return side
    dims.push(side)
  }
  return {
    sites,
    base: dims.map((x) => x.base),
    extents: dims.map((x) => x.extent),
    through: dims.map((x) => x.through),
  }
}

/** Where `body` reads `array`, or why a read has no place in a box. */
export function readSites(
  array: string,
  body: readonly LoopStmt[],
  around: readonly Loop[] = [],
  clamped = false,
): readonly ReadSite[] | Inapplicable {
  const found: Found = { sites: [] }
  visit(body, around, (e, inner) => collect(e, array, inner, [], found, clamped))
  return found.why ?? found.sites
}

/** Where `body` stores to `array`, as if it read there, with the conditions around; or why a store has no place. */
export function storeSites(array: ArrayDecl, body: readonly LoopStmt[]): readonly ReadSite[] | Inapplicable {
  const found: Found = { sites: [] }
  collectStores(array, body, [], [], found)
  return found.why ?? found.sites
}

function collectStores(
  array: ArrayDecl,
  body: readonly LoopStmt[],
  inner: readonly Loop[],
  guards: readonly Expr[],
  out: Found,
): void {
  for (const s of body) {
    if (s.kind === 'loop') collectStores(array, s.body, [...inner, s], guards, out)
    if (s.kind === 'if') {
      collectStores(array, s.then, inner, [...guards, ...conjuncts(s.condition)], out)
      collectStores(array, s.else, inner, [...guards, op('lnot', [s.condition])], out)
    }
    if (s.kind === 'store' && s.array === array.name)
      note({ kind: 'read', type: registerType(array.type), array: s.array, index: s.index }, inner, guards, out, false)
  }
}

/** The site of a read, or the reason why it has no place in a box. */
function note(read: Read, inner: readonly Loop[], guards: readonly Expr[], out: Found, clamped: boolean): void {
  const dims: Dim[] = []
  for (const e of read.index) {
    const dim = dimOf(read.array, e, inner, clamped)
    if (isInapplicable(dim)) {
      out.why ??= dim
      return
    }
    dims.push(dim)
  }
  out.sites.push({ read, inner, guards, dims })
}

function visit(body: readonly LoopStmt[], inner: readonly Loop[], f: (e: Expr, inner: readonly Loop[]) => void): void {
  for (const s of body) {
    ownExprs(s).forEach((e) => f(e, inner))
    if (s.kind === 'loop') visit(s.body, [...inner, s], f)
    if (s.kind === 'if') {
      visit(s.then, inner, f)
      visit(s.else, inner, f)
    }
  }
}

function collect(
  e: Expr,
  array: string,
  inner: readonly Loop[],
  guards: readonly Expr[],
  out: Found,
  clamped: boolean,
): void {
  const again = (x: Expr, g: readonly Expr[] = []): void => collect(x, array, inner, g, out, clamped)
  switch (e.kind) {
    case 'const':
    case 'var':
    case 'size':
    case 'scalar':
      return
    case 'read':
      if (e.array === array) note(e, inner, guards, out, clamped)
      e.index.forEach((x) => again(x))
      return
    case 'op':
      e.args.forEach((x) => again(x))
      return
    case 'choose':
      again(e.condition)
      again(e.then, conjuncts(e.condition))
      again(e.else)
  }
}

function dimOf(array: string, e: Expr, inner: readonly Loop[], clamped: boolean): Dim | Inapplicable {
  const moved = clamped && !affineOf(e) ? throughOf(e, inner) : undefined
  const a = moved?.form ?? affineOf(e)
  if (!a) return inapplicable('schedule.stage', `an index of '${array}' is not affine`)
  const range = innerRange(a, inner)
  if (!range)
    return inapplicable('schedule.stage', `the range of an index of '${array}' inside the loop is not a constant`)
  return {
    outer: addScaled(a, range.inner, -1),
    inner: range.inner,
    low: range.low,
    high: range.high,
    ...(moved && { through: moved.through }),
  }
}

/**
 * `e` as something done with one linear form that moves with loop variables; `undefined` where it uses them otherwise.
 * What stays fixed during an iteration (a group's first channel, `g * (channels / groups)`) is as it is.
 */
function throughOf(e: Expr, inner: readonly Loop[]): { readonly form: Affine; readonly through: Expr } | undefined {
  let form: Affine | undefined,
    one = true
  const visit = (x: Expr): Expr => {
    const a = affineOf(x)
    if (!a) {
      if (!inner.some((l) => uses(x, l.name))) return x
      if (x.kind !== 'op' || x.op === 'mul') one = false
      return x.kind === 'op' ? { ...x, args: x.args.map(visit) } : x
    }
    if ([...a.terms.keys()].every((n) => n.startsWith('$'))) return x
    form ??= { constant: a.constant, terms: new Map([...a.terms].filter(([n]) => !n.startsWith('$'))) }
    for (const sign of [1, -1]) {
      const rest = addScaled(a, form, -sign)
      if ([...rest.terms.keys()].every((n) => n.startsWith('$')))
        return sign > 0 ? add(place, affineExpr(rest)) : sub(affineExpr(rest), place)
    }
    one = false
    return x
  }
  const through = visit(e)
  return form && one ? { form, through } : undefined
}

/** One dimension of a box. */
interface Side {
  readonly base: Affine
  readonly extent: number
  readonly through: Expr | undefined
}

function sideOf(array: string, dims: readonly Dim[]): Side | Inapplicable {
  const first = dims[0]!.outer,
    { through } = dims[0]!
  const core: Affine = { constant: 0, terms: first.terms }
  if (!dims.every((d) => sameAffine({ constant: 0, terms: d.outer.terms }, core)))
    return inapplicable('schedule.stage', `the reads of '${array}' do not lie in one box`)
  if (!dims.every((d) => (d.through && through ? sameExpr(d.through, through) : d.through === through)))
    return inapplicable('schedule.stage', `the reads of '${array}' are clamped in different ways`)
  const low = Math.min(...dims.map((d) => d.outer.constant + d.low)),
    high = Math.max(...dims.map((d) => d.outer.constant + d.high))
  return { base: addScaled(core, affineConstant(low), 1), extent: high - low + 1, through }
}

/** Position of a read inside the box, as an expression of the inner loops. */
export function offsetIn(f: Footprint, site: ReadSite): readonly Expr[] {
  return site.dims.map((d, i) => affineExpr(addScaled(addScaled(d.inner, d.outer, 1), f.base[i]!, -1)))
}

/**
 * The guards of a site as inequalities over the box coordinates `at` (element = base + at), or `undefined` when a guard
 * says more than the element does.
 */
export function guardsOnBox(f: Footprint, site: ReadSite, at: readonly Affine[]): readonly Affine[] | undefined {
  const out: Affine[] = []
  for (const g of site.guards) {
    const moved = moveGuard(f, site, at, g)
    if (!moved) return undefined
    out.push(moved)
  }
  return out
}

function moveGuard(f: Footprint, site: ReadSite, at: readonly Affine[], guard: Expr): Affine | undefined {
  let rest = inequalityOf(guard)
  if (!rest) return undefined
  let moved = affineConstant(0)
  for (const [d, dim] of site.dims.entries()) {
    const [name, c] = [...dim.inner.terms][0] ?? ['', 1]
    const m = (rest.terms.get(name) ?? 0) / c
    if (m === 0 || !Number.isInteger(m)) continue
    rest = addScaled(rest, addScaled(dim.inner, dim.outer, 1), -m)
    moved = addScaled(moved, addScaled(f.base[d]!, at[d]!, 1), m)
  }
  const inner = new Set(site.inner.map((l) => l.name))
  if ([...rest.terms.keys()].some((n) => inner.has(n))) return undefined
  return addScaled(rest, moved, 1)
}
