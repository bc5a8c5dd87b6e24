// In: an array and a write to it. Out: whether the loops around the write run over the whole array. The one idea: every
// dimension is one loop of step 1 from the first to the last index, each loop used once, and no `if` between. Writes at
// constant places of short dimensions (the parts of a record) cover it together. It proves only this plain shape; a
// false answer says nothing.
import type { Access } from './accesses.ts'
import { addScaled, affineConstant, affineName, affineOf, sameAffine, type Affine } from '../integers/affine.ts'
import { int } from './build.ts'
import type { ArrayDecl, Expr, Loop } from './loop.ts'

/** Whether the loops of `x` from the one at `from` inwards make an unguarded write reach every element of `a`. */
export function coversWhole(a: ArrayDecl, x: Access, from = 0): boolean {
  const start = from === 0 ? 0 : x.depths[from - 1]!
  if (x.branches.some((b) => b.depth > start) || x.kind !== 'write' || x.reduce !== null) return false
  const inner = x.loops.slice(from),
    used = new Set<string>()
  const covered = x.index.every((e, d) => {
    const index = affineOf(e),
      extent = affineOf(a.shape[d]!)
    const form = index && extent ? coveringLoop(index, extent, inner) : undefined
    if (form === undefined || used.has(form)) return false
    if (form !== '') used.add(form)
    return true
  })
  // Loops that no index uses must run at least once for the write to happen at all.
  return covered && inner.every((l) => used.has(l.name) || runs(l))
}

/**
 * Whether `writes` together reach every element: each all that is at its constant places of the dimensions of constant
 * extent, and these places are all that there are.
 */
export function coverTogether(a: ArrayDecl, writes: readonly Access[]): boolean {
  const extents = a.shape.map(constantOf)
  const parts = [...extents.keys()].filter(
    (d) => extents[d] !== undefined && writes.every((x) => constantOf(x.index[d]!) !== undefined),
  )
  const places = new Set<string>()
  for (const x of writes) {
    const sliced = <T>(list: readonly T[], one: T): readonly T[] => list.map((e, d) => (parts.includes(d) ? one : e))
    const place = parts.map((d) => constantOf(x.index[d]!) ?? 0) // are constant
    if (
      place.every((at, k) => at >= 0 && at < (extents[parts[k]!] ?? 0)) &&
      coversWhole({ ...a, shape: sliced(a.shape, int(1)) }, { ...x, index: sliced(x.index, int(0)) })
    )
      places.add(place.join())
  }
  return places.size > 0 && places.size === parts.reduce((n, d) => n * (extents[d] ?? 0), 1)
}

function constantOf(e: Expr): number | undefined {
  const value = affineOf(e)
  return value?.terms.size === 0 ? value.constant : undefined
}

/**
 * The loop that makes `index` run over `[0, extent)`; '' when both are the single element 0; undefined when neither.
 */
function coveringLoop(index: Affine, extent: Affine, loops: readonly Loop[]): string | undefined {
  const names = new Set(loops.map((l) => l.name))
  const variables = [...index.terms].filter(([n]) => !n.startsWith('$'))
  const [variable, more] = variables
  if (!variable)
    return index.terms.size === 0 && index.constant === 0 && extent.terms.size === 0 && extent.constant === 1
      ? ''
      : undefined
  const [name, c] = variable
  const loop = loops.find((l) => l.name === name)
  const lower = loop && affineOf(loop.lower),
    upper = loop && affineOf(loop.upper)
  if (more || !loop || loop.step !== 1 || Math.abs(c) !== 1 || !lower || !upper) return undefined
  if ([...lower.terms.keys(), ...upper.terms.keys()].some((n) => names.has(n))) return undefined
  const at = (v: Affine): Affine => addScaled(addScaled(index, affineName(name), -c), v, c)
  const first = at(lower),
    last = at(addScaled(upper, affineConstant(1), -1))
  const [low, high] = c > 0 ? [first, last] : [last, first]
  return sameAffine(low, affineConstant(0)) && sameAffine(addScaled(high, affineConstant(1), 1), extent)
    ? name
    : undefined
}

function runs(l: Loop): boolean {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  const extent = lower && upper && addScaled(upper, lower, -1)
  return !!extent && extent.terms.size === 0 && extent.constant > 0
}
