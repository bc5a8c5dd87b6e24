// In: a small array of constant extents and all accesses to it, in program order. Out: whether every element that some
// iteration of the loops around reads was written before in the same iteration. The one idea: of a few elements one can
// ask each (array privatisation, Tu and Padua 1993): `c[0] = 1; c[1] = 1;` writes all of `c[2]`. Writes count where
// they certainly happen: under no condition, in loops of constant bounds.
import { affineOf, literal, type Access, type Affine, type ArrayDecl, type Loop } from '../../ir/index.ts'

/** Arrays of more elements, and writes in more iterations, are not looked at one by one. */
const mostElements = 256

/** See above; `depth`: loops around an iteration; `isSame`: whether two accesses are to one element. */
export function writesWhatIsRead(
  array: ArrayDecl,
  own: readonly Access[],
  depth: number,
  isSame: (a: Access, b: Access) => boolean,
): boolean {
  const extents = array.shape.map((e) => literal(e)),
    all = extents.reduce<number>((n, e) => n * (e ?? Infinity), 1)
  if (extents.length === 0 || all > mostElements || all < 1) return false
  const every = Array.from({ length: all }, (_, n) => n)
  const writes: { readonly access: Access; readonly elements: readonly number[] }[] = []
  for (const a of own) {
    if (a.kind === 'write') {
      const elements = isCertain(a, depth) ? elementsOf(a, extents as readonly number[], depth) : undefined // all known
      if (elements) writes.push({ access: a, elements })
      continue
    }
    const asked = elementsOf(a, extents as readonly number[], depth) ?? every
    const isBeside = (w: Access): boolean => w.loops.slice(depth).some((l) => a.loops.includes(l))
    if (writes.some((w) => isSame(w.access, a) && isBeside(w.access))) continue
    const written = new Set(writes.flatMap((w) => (isBeside(w.access) ? [] : w.elements)))
    if (!asked.every((e) => written.has(e))) return false
  }
  return true
}

/** Whether the write happens in every iteration of the outermost `depth` loops. */
function isCertain(a: Access, depth: number): boolean {
  const start = depth === 0 ? 0 : a.depths[depth - 1]! // there are as many loops
  return a.reduce === null && a.branches.every((b) => b.depth <= start)
}

/** Elements, as positions in memory, in one iteration of the outermost `depth` loops; undefined where they vary. */
function elementsOf(a: Access, extents: readonly number[], depth: number): readonly number[] | undefined {
  const index = a.index.map(affineOf),
    inner = a.loops.slice(depth).filter((l) => a.index.some((_, d) => index[d]?.terms.has(l.name)))
  const names = new Set(inner.map((l) => l.name))
  if (!index.every((f) => f !== undefined && [...f.terms.keys()].every((n) => names.has(n)))) return undefined
  const points = pointsOf(inner)
  if (!points || (a.kind === 'write' && !a.loops.slice(depth).every((l) => inner.includes(l) || isNeverEmpty(l))))
    return undefined
  const elements = points.map(
    (point) => index.reduce((n, f, d) => n * extents[d]! + valueOf(f as Affine, point), 0), // as many extents
  )
  return elements
}

const isNeverEmpty = (l: Loop): boolean => (literal(l.upper) ?? -Infinity) > (literal(l.lower) ?? Infinity)

/** All values of loops of constant bounds; undefined where some are not, or there are too many. */
function pointsOf(loops: readonly Loop[]): readonly ReadonlyMap<string, number>[] | undefined {
  let points: readonly ReadonlyMap<string, number>[] = [new Map()]
  for (const l of loops) {
    const low = literal(l.lower),
      high = literal(l.upper)
    if (low === undefined || high === undefined || points.length * (high - low) > mostElements) return undefined
    const values = Array.from({ length: Math.max(0, Math.ceil((high - low) / l.step)) }, (_, n) => low + n * l.step)
    points = points.flatMap((p) => values.map((v) => new Map([...p, [l.name, v]])))
  }
  return points
}

const valueOf = (f: Affine, point: ReadonlyMap<string, number>): number =>
  [...f.terms].reduce((n, [name, c]) => n + c * point.get(name)!, f.constant) // all are among the loops
