// In: the accesses to one array in program order. Out: whether every element that an iteration of the loops around
// reads was written before in the same iteration: none of its reads is upward exposed (Tu and Padua, "Automatic array
// privatization", 1993). The one idea: what a write has reached by then is a section, an interval with a step in each
// dimension (regular section descriptors, Callahan and Kennedy 1988); a read is exposed where it can be outside of all
// sections, which the Omega test decides. Writes count where they certainly happen.
import {
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  atLeast,
  casesOf,
  disjuncts,
  equalTo,
  feasible,
  notLess,
  plus,
  type Access,
  type Affine,
  type ArrayDecl,
  type Constraint,
  type Loop,
} from '../ir/index.ts'

/** The elements `first`, `first + step`, … `last` of one dimension. */
interface Interval {
  readonly first: Affine
  readonly last: Affine
  readonly step: number
}

/** What a write has reached, where all of `runs`, iterations of loops less one, are at least 0. */
interface Section {
  readonly dimensions: readonly Interval[]
  readonly runs: readonly Affine[]
}

/** Questions about one read, each of which is a system of inequalities; where they are more, it counts as exposed. */
const mostQuestions = 400
/** Most residues that elements of a dimension are told apart by. */
const mostResidues = 16

/**
 * Whether an iteration of the outermost `depth` loops may read an element of `array` that it did not write before.
 * `own`: all accesses to the array, which these loops are around, in program order.
 */
export function hasExposedReads(array: ArrayDecl, own: readonly Access[], depth: number): boolean {
  const writes = own.filter((w) => w.kind === 'write' && isCertain(w, depth))
  return own.some((r) => r.kind === 'read' && isExposed(array, r, writes, depth))
}

/**
 * The greatest number of loops around all of `own` whose iterations read nothing of `array` that they did not write
 * before; 0 where there are none.
 */
export function exposedReadDepth(array: ArrayDecl, own: readonly Access[]): number {
  const [first] = own
  if (!first) return 0
  for (let depth = first.loops.length; depth > 0; depth--) {
    const path = first.path.slice(0, first.depths[depth - 1]),
      isAround = own.every((a) => a.path.length > path.length && path.every((x, i) => a.path[i] === x))
    if (isAround && !hasExposedReads(array, own, depth)) return depth
  }
  return 0
}

/** Whether the write happens in every iteration of the outermost `depth` loops, but for loops that are empty. */
function isCertain(w: Access, depth: number): boolean {
  const start = depth === 0 ? 0 : w.depths[depth - 1]! // there are as many loops
  return w.reduce === null && w.branches.every((b) => b.depth <= start)
}

function isExposed(array: ArrayDecl, r: Access, writes: readonly Access[], depth: number): boolean {
  const sections = writes.flatMap((w) => sectionsBefore(w, r, depth))
  if (sections.length === 0) return true
  const budget = { left: mostQuestions }
  const visit = (d: number, place: readonly Affine[], known: readonly Constraint[]): boolean => {
    if (d === array.shape.length)
      return eachResidue(place, sections, known, (k, reached) => isOutside(place, reached, k, budget))
    const cases = casesOf(r.index[d]!), // an index for each dimension
      extent = affineOf(array.shape[d]!)
    if (!cases) return true
    return cases.some(({ form, known: more }) => {
      const inside = [atLeast(form), ...(extent ? [notLess(plus(extent, -1), form)] : [])]
      return visit(d + 1, [...place, form], [...known, ...more, ...inside])
    })
  }
  return disjuncts(r.domain).some((known) => visit(0, [], known))
}

/** Whether a place may lie outside of all `sections` where `known` holds. */
function isOutside(
  place: readonly Affine[],
  sections: readonly Section[],
  known: readonly Constraint[],
  budget: { left: number },
): boolean {
  if (budget.left-- <= 0) return true
  if (feasible(known) === 'empty') return false
  const [section, ...others] = sections
  if (!section) return true
  const outside = [
    ...section.runs.map((n) => notLess(affineConstant(-1), n)),
    ...section.dimensions.flatMap(({ first, last }, d) => [
      notLess(plus(first, -1), place[d]!), // a place for each dimension
      notLess(place[d]!, plus(last, 1)),
    ]),
  ]
  return outside.some((c) => isOutside(place, others, [...known, c], budget))
}

/**
 * Whether `test` holds for some residues of the place by the steps of the sections; it gets the sections that have
 * elements of these residues.
 */
function eachResidue(
  place: readonly Affine[],
  sections: readonly Section[],
  known: readonly Constraint[],
  test: (known: readonly Constraint[], sections: readonly Section[]) => boolean,
): boolean {
  const visit = (d: number, k: readonly Constraint[], left: readonly Section[]): boolean => {
    if (d === place.length) return test(k, left)
    const modulus = [...new Set(left.map((s) => s.dimensions[d]!.step))].reduce((a, b) => a * b, 1)
    if (modulus === 1) return visit(d + 1, k, left)
    if (modulus > mostResidues) return true
    return Array.from({ length: modulus }, (_, t) => t).some((t) => {
      const quotient = affineName(`%residue${d}`, modulus),
        own = left.filter((s) => hasResidue(s.dimensions[d]!, t))
      return visit(d + 1, [...k, equalTo(place[d]!, plus(quotient, t))], own)
    })
  }
  return visit(0, known, sections)
}

/** Whether numbers that leave `t` are those of the interval, as far as it goes; false where nothing says it. */
function hasResidue({ first, step }: Interval, t: number): boolean {
  return [...first.terms.values()].every((c) => c % step === 0) && (t - first.constant) % step === 0
}

/** What `w` has written when `r` reads, in one iteration of the outermost `depth` loops. */
function sectionsBefore(w: Access, r: Access, depth: number): readonly Section[] {
  const isShared = (k: number): boolean =>
    k < Math.min(w.loops.length, r.loops.length) &&
    w.depths[k] === r.depths[k] &&
    w.path.slice(0, w.depths[k]).every((x, i) => r.path[i] === x)
  let common = depth
  while (isShared(common)) common++
  const earlier = Array.from({ length: common - depth }, (_, k) => sectionOf(w, depth + k, true))
  const all = [...earlier, ...(w.id < r.id ? [sectionOf(w, common, false)] : [])]
  return all.filter((s) => s !== undefined)
}

/**
 * What `w` writes in the iterations of its loops from the one at `from` on, in those before the read's of that loop if
 * `isEarlier`; undefined where it is no section.
 */
function sectionOf(w: Access, from: number, isEarlier: boolean): Section | undefined {
  const free = w.loops.slice(from),
    names = new Set(free.map((l) => l.name)),
    ranges = free.map((l, k) => rangeOf(l, names, isEarlier && k === 0))
  const taken = new Set<string>()
  const dimensions = w.index.map((e): Interval | undefined => {
    const index = affineOf(e),
      [name, more] = index ? [...index.terms.keys()].filter((n) => names.has(n)) : []
    if (!index || more !== undefined) return undefined
    if (name === undefined) return { first: index, last: index, step: 1 }
    const range = ranges[free.findIndex((l) => l.name === name)],
      c = index.terms.get(name)! // it is one of them
    if (!range || taken.has(name)) return undefined
    taken.add(name)
    const at = (v: Affine): Affine => addScaled(addScaled(index, affineName(name), -c), v, c),
      [first, last] = c > 0 ? [range.first, range.last] : [range.last, range.first]
    return { first: at(first), last: at(last), step: Math.abs(c) }
  })
  const others = ranges.filter((_, k) => !taken.has(free[k]!.name)) // a range for each loop
  if (!dimensions.every((d) => d !== undefined) || !others.every((x) => x !== undefined)) return undefined
  return { dimensions, runs: others.map((x) => addScaled(x.last, x.first, -1)) }
}

/** First and last value of a loop's variable, or the last before the read's; undefined where `names` say it. */
function rangeOf(
  l: Loop,
  names: ReadonlySet<string>,
  isEarlier: boolean,
): { readonly first: Affine; readonly last: Affine } | undefined {
  const lower = affineOf(l.lower),
    upper = isEarlier ? affineName(l.name) : affineOf(l.upper),
    isFree = (a: Affine): boolean => [...a.terms.keys()].some((n) => names.has(n))
  if (l.step !== 1 || !lower || !upper || isFree(lower) || (!isEarlier && isFree(upper))) return undefined
  return { first: lower, last: plus(upper, -1) }
}
