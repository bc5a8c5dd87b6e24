// In: statements of a kernel. Out: boxes of constant size in which all that they use of an array lies, and the
// statements on copies of these boxes in workgroup memory, with what fills the copies and what writes them back. The
// one idea: what is used again and again by threads that meet at barriers should not go through the caches each time.
// Bounds are decided exactly (`feasible`), so that triangles and guards inside of a box do not matter. It does not say
// who copies.
import {
  accesses,
  addScaled,
  affineExpr,
  affineName,
  affineOf,
  bytesOf,
  feasible,
  implies,
  int,
  loop as loopOf,
  loopVar,
  lt,
  plus,
  read,
  sameAffine,
  sizeDomain,
  store,
  sub,
  type Access,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  claimName,
  eachStmt,
  namesOf,
  nest,
  placedElsewhere,
  withGuard,
} from '../../ir/index.ts'
import { conditionOf } from '../../analysis/index.ts'

/** What is used of `array`: the elements from `base` on, `extents` of them in each dimension. */
export interface PromotedBox {
  readonly array: ArrayDecl
  /** Over sizes and the fixed loops. */
  readonly base: readonly Affine[]
  readonly extents: readonly number[]
  readonly written: boolean
  /** Each iteration of the fixed loops has a box of its own. */
  readonly own: boolean
  /** What holds of sizes and fixed loops at every use, beyond the bounds of these loops; each ≥ 0. */
  readonly where: readonly Affine[]
  /** The same with these bounds. */
  readonly known: readonly Constraint[]
  /** The indices that lie in it, as the objects that they are. */
  readonly uses: ReadonlySet<readonly Expr[]>
}

/** Most elements of a box: 16 KiB of f32, the workgroup memory that every device of WebGPU has. */
const mostElements = 4096
/** The longest extent of a box that is tried, from 1 on by doubling. */
const mostExtent = 64

/**
 * Boxes of the arrays in global memory that `program.body` uses. `fixed`: loops around all of it, different iterations
 * of which may be different threads. An array is left out where some use lies in no box, or where one box is written
 * and may meet another, or another iteration's.
 */
export function boxesOf(program: Program, fixed: ReadonlySet<string>): readonly PromotedBox[] {
  const all = accesses(program)
  const starts = program.hostVariables.filter((v) => v.below).map((v) => affineName(`$${v.name}`))
  // a local may have the name of what it becomes elsewhere
  const locals = new Set<string>()
  eachStmt(program.body, (s) => {
    if (s.kind === 'declare') locals.add(s.array.name)
  })
  const bounds = [...sizeDomain(program).constraints, ...boundsOf(program, fixed).map((form) => ({ form }))]
  return program.arrays
    .filter((a) => a.shape.length > 0 && bytesOf[a.type] >= 4 && !locals.has(a.name))
    .flatMap((array) => {
      const own = all.filter((a) => a.array === array.name)
      const found = own.map((a) => placeOf(a, starts, fixed))
      if (own.length === 0 || found.some((p) => !p)) return []
      const boxes = joined(
        array,
        own,
        found.flatMap((p) => p ?? []),
        fixed,
        bounds,
      )
      return boxes.every((b) => isAlone(program, b, boxes, fixed))
        ? boxes.filter((b) => b.extents.some((e) => e > 1))
        : []
    })
}

interface Place {
  readonly base: readonly Affine[]
  readonly reach: readonly number[]
}

/** Where an access lies: from which affine start, and how far from there, in each dimension. */
function placeOf(a: Access, starts: readonly Affine[], fixed: ReadonlySet<string>): Place | undefined {
  if (a.domain.either.length > 0) return undefined
  const dims = a.index.map((e) => {
    const f = affineOf(e)
    if (!f) return undefined
    const terms = new Map([...f.terms].filter(([n]) => n.startsWith('$') || fixed.has(n)))
    const outer: Affine = { constant: terms.size === f.terms.size ? f.constant : 0, terms }
    for (const base of [outer, ...starts.map((s) => addScaled(outer, s, 1))]) {
      const within = addScaled(f, base, -1)
      if (!implies(a.domain.constraints, within)) continue
      const reach = [1, 2, 4, 8, 16, 32, mostExtent].find((n) =>
        implies(a.domain.constraints, plus(addScaled({ constant: 0, terms: new Map() }, within, -1), n - 1)),
      )
      if (reach !== undefined) return { base, reach }
    }
    return undefined
  })
  return dims.every((d) => d !== undefined)
    ? { base: dims.map((d) => d.base), reach: dims.map((d) => d.reach) }
    : undefined
}

const text = (f: Affine): string =>
  [...f.terms]
    .map(([n, c]) => `${c}${n}`)
    .sort()
    .join('+')

/** Uses from the same start in one box. */
function joined(
  array: ArrayDecl,
  uses: readonly Access[],
  places: readonly Place[],
  fixed: ReadonlySet<string>,
  bounds: readonly Constraint[],
): readonly PromotedBox[] {
  const groups = new Map<string, number[]>()
  places.forEach((p, i) => {
    const key = p.base.map(text).join()
    groups.set(key, [...(groups.get(key) ?? []), i])
  })
  return [...groups.values()].map((members): PromotedBox => {
    const starts = (d: number): readonly Affine[] => members.map((i) => places[i]!.base[d]!) // a place per use
    const first = array.shape.map((_, d) => Math.min(...starts(d).map((f) => f.constant)))
    const base = first.map((constant, d): Affine => ({ constant, terms: starts(d)[0]!.terms })) // a group has members
    const where = commonRows(
      members.map((i) => uses[i]!),
      fixed,
      bounds,
    )
    return {
      array,
      base,
      where,
      known: [...bounds, ...where.map((form) => ({ form }))],
      extents: base.map(
        (_, d) => Math.max(...members.map((i, n) => starts(d)[n]!.constant + places[i]!.reach[d]!)) - first[d]!,
      ),
      written: members.some((i) => uses[i]!.kind === 'write'),
      own: base.some((b) => [...b.terms.keys()].some((n) => fixed.has(n))),
      uses: new Set(members.map((i) => uses[i]!.index)),
    }
  })
}

/** What all uses have in common of sizes and fixed loops, beyond `bounds`; each ≥ 0, an equality is two. */
function commonRows(
  uses: readonly Access[],
  fixed: ReadonlySet<string>,
  bounds: readonly Constraint[],
): readonly Affine[] {
  const of = (a: Access): readonly Affine[] =>
    a.domain.constraints.flatMap((c) =>
      [...c.form.terms.keys()].every((n) => n.startsWith('$') || fixed.has(n))
        ? [c.form, ...(c.equal ? [addScaled({ constant: 0, terms: new Map() }, c.form, -1)] : [])]
        : [],
    )
  return of(uses[0]!).filter(
    (f, n, all) =>
      all.findIndex((g) => sameAffine(f, g)) === n &&
      !implies(bounds, f) &&
      uses.every((a) => implies(a.domain.constraints, f)),
  ) // a box has uses
}

/** The bounds of the fixed loops, each ≥ 0. */
function boundsOf(program: Program, fixed: ReadonlySet<string>): readonly Affine[] {
  const out: Affine[] = []
  eachStmt(program.body, (s) => {
    if (s.kind !== 'loop' || !fixed.has(s.name)) return
    const lower = affineOf(s.lower),
      upper = affineOf(s.upper),
      v = affineName(s.name)
    if (lower) out.push(addScaled(v, lower, -1))
    if (upper) out.push(plus(addScaled(upper, v, -1), -1))
  })
  return out
}

/** No other box meets one that is written, of this iteration of the fixed loops or of another; and it is small. */
function isAlone(program: Program, box: PromotedBox, all: readonly PromotedBox[], fixed: ReadonlySet<string>): boolean {
  if (box.extents.reduce((n, e) => n * e, 1) > mostElements) return false
  const within = (b: PromotedBox, prefix: string): readonly Constraint[] =>
    b.base.flatMap((f, d): readonly Constraint[] => {
      const at = addScaled(affineName(`e${d}`), prefixed(f, prefix), -1)
      // an extent per dimension
      return [{ form: at }, { form: plus(addScaled({ constant: 0, terms: new Map() }, at, -1), b.extents[d]! - 1) }]
    })
  const around = fixedDomain(program, fixed)
  const ranges = (prefix: string): readonly Constraint[] =>
    around.map((c) => ({ ...c, form: prefixed(c.form, prefix) }))
  const meet = (b: PromotedBox, more: readonly Constraint[]): boolean =>
    feasible([
      ...sizeDomain(program).constraints,
      ...ranges('s'),
      ...ranges('t'),
      ...within(box, 's'),
      ...within(b, 't'),
      ...more,
    ]) !== 'empty'
  return all.every((b) => {
    if (!box.written && !b.written) return true
    if (b !== box) return !meet(b, [])
    return [...fixed].every((n) =>
      [1, -1].every(
        (sign) => !meet(b, [{ form: plus(addScaled(affineName(`t${n}`, sign), affineName(`s${n}`), -sign), -1) }]),
      ),
    )
  })
}

/**
 * What is known of the fixed loops wherever something is used: what conditions around one access say holds there alone.
 */
function fixedDomain(program: Program, fixed: ReadonlySet<string>): readonly Constraint[] {
  const [first, ...others] = accesses(program).filter(
    (a) => a.loops.filter((l) => fixed.has(l.name)).length === fixed.size,
  )
  const own = (first?.domain.constraints ?? []).filter(
    (c) =>
      [...c.form.terms.keys()].every((n) => n.startsWith('$') || fixed.has(n)) &&
      [...c.form.terms.keys()].some((n) => fixed.has(n)),
  )
  const everywhere = (f: Affine): boolean => others.every((a) => implies(a.domain.constraints, f))
  return own.filter(
    (c) => everywhere(c.form) && (!c.equal || everywhere(addScaled({ constant: 0, terms: new Map() }, c.form, -1))),
  )
}

const prefixed = (f: Affine, prefix: string): Affine => ({
  constant: f.constant,
  terms: new Map([...f.terms].map(([n, c]) => [n.startsWith('$') ? n : prefix + n, c])),
})

/** Dimensions in which it has more than one element. */
const wideOf = (box: PromotedBox): readonly number[] => box.extents.flatMap((e, d) => (e > 1 ? [d] : []))

/** A copy of a box. */
export interface Kept {
  readonly box: PromotedBox
  readonly copy: ArrayDecl
  /** Loops over the box, and in them what fills the copy and what writes it back. */
  readonly loops: readonly Loop[]
  readonly fill: readonly LoopStmt[]
  readonly back: readonly LoopStmt[]
}

/**
 * Who has boxes of their own: so many threads, of which this is one; `null`: each keeps them in registers, as a private
 * array.
 */
export type Owners = { readonly count: number; readonly index: Expr } | null

/** Copies of `boxes` in workgroup memory, or those of `owners` in registers. */
export function copiesOf(program: Program, boxes: readonly PromotedBox[], owners?: Owners): readonly Kept[] {
  const taken = namesOf(program)
  return boxes.map((box) => {
    const { array } = box
    const fresh = (base: string): string => claimName(taken, base)
    const name = fresh(`${array.name}_near`),
      lead = box.own && owners ? [owners] : [],
      registers = box.own && owners === null
    const wide = wideOf(box)
    const copy: ArrayDecl = {
      name,
      type: array.type,
      shape: [...lead.map((t) => int(t.count)), ...wide.map((d) => int(box.extents[d]!))],
      role: 'temp',
      ...(registers ? { space: 'private' } : { space: 'shared', pad: 1 }),
    }
    const loops = wide.map(
      (d): Loop => loopOf(`${name}_${d}`, int(box.extents[d]!), [], registers ? { bind: { kind: 'unroll' } } : {}),
    )
    const at = box.base.map((f, d) => (wide.includes(d) ? addScaled(f, affineName(`${name}_${d}`), 1) : f))
    const context: readonly Constraint[] = [
      ...(box.own ? box.known : sizeDomain(program).constraints),
      ...loops.flatMap((l) => [
        { form: affineName(l.name) },
        { form: plus(affineOf(sub(l.upper, loopVar(l.name)))!, -1) },
      ]), // a constant less a variable
    ]
    const inside = array.shape.flatMap((e, d): readonly Expr[] => {
      const place = at[d]!,
        size = affineOf(e),
        room = size && plus(addScaled(size, place, -1), -1) // a place per dimension
      const holds = (f: Affine): boolean => implies(context, f)
      return [
        ...(holds(place) ? [] : [conditionOf(place)]),
        ...(!room ? [lt(affineExpr(place), e)] : holds(room) ? [] : [conditionOf(room)]),
      ]
    })
    const here = [...lead.map((t) => t.index), ...loops.map((l) => loopVar(l.name))],
      there = at.map((f) => affineExpr(f))
    return {
      box,
      copy,
      loops,
      fill: withGuard(inside, [store(copy, here, read(array, there))]),
      back: withGuard(inside, [store(array, there, read(copy, here))]),
    }
  })
}

/** `body` on the copies. */
export function onCopies(body: readonly LoopStmt[], kept: readonly Kept[], index?: Expr): readonly LoopStmt[] {
  const placed = (at: readonly Expr[]): { readonly array: string; readonly index: readonly Expr[] } | undefined => {
    const k = kept.find((x) => x.box.uses.has(at))
    if (!k) return undefined
    // what lies in a box is affine
    const inBox = wideOf(k.box).map((d) => affineExpr(addScaled(affineOf(at[d]!)!, k.box.base[d]!, -1)))
    return { array: k.copy.name, index: [...(k.box.own && index ? [index] : []), ...inBox] }
  }
  return placedElsewhere(body, placed)
}

/** The loops of a copy of its own around what fills it or writes it back, by one thread, where that thread uses it. */
export const wholeBox = (k: Kept, what: readonly LoopStmt[]): readonly LoopStmt[] =>
  withGuard(k.box.where.map(conditionOf), nest(k.loops, what))
