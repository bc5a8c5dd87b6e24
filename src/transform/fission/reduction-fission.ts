// In: a program and a nest of loops at its top that adds to elements of several kinds at once: `e += u; f[i] += g; f[j]
// -= g`, as forces between pairs do. Out: a nest for each kind, whose outer loops choose the elements. The one idea is
// loop distribution where statements share locals: each nest computes these again. Sums may be made in any order, and
// what a nest adds to is not read in it, so that the loops of each may stand as its elements need them.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  coefficient,
  eachStmt,
  implies,
  insideLoops,
  int,
  mapStmts,
  nest,
  op,
  perfectNest,
  readsIn,
  uses,
  withGuard,
  type Affine,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  type Store,
} from '../../ir/index.ts'
import { withOwnSums } from '../expansion/reduction-expansion.ts'
import { withoutDeadStores } from '../scalars/dead-stores.ts'

/** The program with the loops at `position` of its body so taken apart; `undefined` where they are no such nest. */
export function withOwnNests(program: Program, position: number): Program | undefined {
  const loop = program.body[position]
  if (loop?.kind !== 'loop') return undefined
  const { loops, body } = perfectNest(loop),
    stores = loops.length > 1 && loops.every((l) => l.step === 1) ? reductionsOf(body) : undefined
  if (!stores) return undefined
  const names = new Set(stores.map((s) => s.array)),
    chooses = (l: Loop, s: Store): boolean => s.index.some((e) => uses(e, l.name)),
    kindOf = (s: Store): string => loops.map((l) => (chooses(l, s) ? l.name : '')).join()
  const kinds = new Map(stores.map((s) => [kindOf(s), s]))
  if (kinds.size < 2) return undefined
  const made = [...kinds].map(([kind, one]): readonly LoopStmt[] | undefined => {
    const own = mapStmts(
      body,
      (e) => e,
      (s) => (s.kind === 'store' && names.has(s.array) && kindOf(s) !== kind ? [] : [s]),
    )
    const inOrder = chosenFirst(program, loops, (l) => chooses(l, one))
    return inOrder && nest(inOrder.loops, withGuard(inOrder.guard, withoutDeadStores(own)))
  })
  if (!made.every((m) => m !== undefined)) return undefined
  const apart = { ...program, body: program.body.flatMap((s) => (s === loop ? made.flat() : [s])) }
  // Numbers that no loop chooses are sums of sums.
  return made.flat().reduce<Program>((p, s) => withOwnSums(p, p.body.indexOf(s)) ?? p, apart)
}

/** What `body` stores to but locals of its own, where these are all sums of what none of them changes. */
function reductionsOf(body: readonly LoopStmt[]): readonly Store[] | undefined {
  const locals = new Set<string>(),
    stores: Store[] = []
  eachStmt(body, (s) => {
    if (s.kind === 'declare') locals.add(s.array.name)
  })
  eachStmt(body, (s) => {
    if (s.kind === 'store' && !locals.has(s.array)) stores.push(s)
  })
  const reads = new Set(readsIn(body).map((r) => r.array)),
    ops = new Map(stores.map((s) => [s.array, s.reduce]))
  const isSum = (s: Store): boolean => s.reduce !== null && !reads.has(s.array) && ops.get(s.array) === s.reduce
  return stores.every(isSum) ? stores : undefined
}

interface InOrder {
  readonly loops: readonly Loop[]
  readonly guard: readonly Expr[]
}

/**
 * The loops with those that choose elements outside of the others, going over the same iterations; `undefined` where
 * their bounds are not linear.
 */
function chosenFirst(program: Program, loops: readonly Loop[], isChosen: (l: Loop) => boolean): InOrder | undefined {
  const inside = loops.filter((l) => !isChosen(l)),
    forms: Affine[] = [],
    outer: Loop[] = []
  const asks = (e: Expr): boolean => inside.some((l) => uses(e, l.name))
  for (const l of loops.filter(isChosen)) {
    const before = inside.filter((x) => loops.indexOf(x) < loops.indexOf(l)),
      made = { ...l }
    for (const side of ['lower', 'upper'] as const) {
      if (!asks(l[side])) continue
      const form = affineOf(l[side]),
        end = form && outermost(form, side, before)
      if (!form || !end) return undefined
      forms.push(
        side === 'lower'
          ? addScaled(affineName(l.name), form, -1)
          : addScaled(addScaled(form, affineName(l.name), -1), affineConstant(1), -1),
      )
      made[side] = affineExpr(end)
    }
    outer.push(made)
  }
  if (inside.some((l) => forms.length > 0 && (!affineOf(l.lower) || !affineOf(l.upper)))) return undefined
  const domain = insideLoops(program, outer)
  return forms.reduce<InOrder>((made, form) => bounded(made, form, inside, domain), {
    loops: [...outer, ...inside],
    guard: [],
  })
}

/** The least that a lower bound is over `loops`, or the greatest that an upper one is; it may use other variables. */
function outermost(form: Affine, side: 'lower' | 'upper', loops: readonly Loop[]): Affine | undefined {
  let end: Affine = form
  for (const l of [...loops].reverse()) {
    const c = coefficient(end, l.name)
    if (c === 0) continue
    const bound = affineOf(c > 0 === (side === 'lower') ? l.lower : l.upper)
    if (!bound) return undefined
    const last = c > 0 === (side === 'lower') ? bound : addScaled(bound, affineConstant(1), -1)
    end = addScaled(addScaled(end, affineName(l.name), -c), last, c)
  }
  return end
}

/** With `form` ≥ 0 as a bound of the one loop inside that it is about, where it is the tighter one, or as a guard. */
function bounded({ loops, guard }: InOrder, form: Affine, inside: readonly Loop[], domain: Domain): InOrder {
  const about = inside.filter((l) => coefficient(form, l.name) !== 0),
    [own] = about,
    c = own ? coefficient(form, own.name) : 0
  const at = own ? loops.findIndex((l) => l.name === own.name) : -1,
    loop = loops[at]
  if (about.length === 1 && loop && Math.abs(c) === 1) {
    // c v + r ≥ 0
    const rest = addScaled(form, affineName(loop.name), -c),
      end = c > 0 ? addScaled(affineConstant(0), rest, -1) : addScaled(rest, affineConstant(1), 1),
      before = affineOf(c > 0 ? loop.lower : loop.upper)
    if (before && implies(domain.constraints, addScaled(c > 0 ? end : before, c > 0 ? before : end, -1)))
      return {
        loops: loops.map((l, i) => (i === at ? { ...l, [c > 0 ? 'lower' : 'upper']: affineExpr(end) } : l)),
        guard,
      }
  }
  return { loops, guard: [...guard, op('ge', [affineExpr(form), int(0)])] }
}
