// In: a program with shapes. Out: the role of each array that the caller gives: read, written or both. The one idea: an
// array is `out` only when every element is written before any is read.
import {
  accesses,
  affineOf,
  coversWhole,
  coverTogether,
  sameAffine,
  type Access,
  type ArrayDecl,
  type Program,
} from '../../../ir/index.ts'

/** `p` with the roles of its arrays. */
export function rolesOf(p: Program): Program {
  const all = accesses(p)
  return {
    ...p,
    arrays: p.arrays.map((a) =>
      a.role === 'temp'
        ? a
        : {
            ...a,
            role: roleOf(
              a,
              all.filter((x) => x.array === a.name && x.declared === undefined),
            ),
          },
    ),
  }
}

/** `out` only when every element is written before any is read, so that the old contents do not matter. */
function roleOf(a: ArrayDecl, all: readonly Access[]): ArrayDecl['role'] {
  const writes = all.filter((x) => x.kind === 'write')
  if (writes.length === 0) return 'in'
  const covers = firstCover(a, writes)
  const last = covers?.at(-1)
  if (!covers || !last) return 'inout'
  const isServed = (x: Access): boolean =>
    x.id > last.id ? covers.every((w) => readsOwn(w, x)) : covers.some((w) => w.id < x.id && wroteBefore(w, x))
  return all.every((x) => x.kind === 'write' || isServed(x)) ? 'out' : 'inout'
}

/** The first writes that reach every element: one, or all up to the one with which they do together. */
function firstCover(a: ArrayDecl, writes: readonly Access[]): readonly Access[] | undefined {
  for (const [i, x] of writes.entries()) {
    if (coversWhole(a, x)) return [x]
    const all = writes.slice(0, i + 1)
    if (i > 0 && coverTogether(a, all)) return all
  }
  return undefined
}

/** Whether `x`, inside of all loops of `write` and behind it, reads the element that it wrote in the same iteration. */
const wroteBefore = (write: Access, x: Access): boolean =>
  write.branches.length === 0 && write.loops.every((l, i) => x.loops[i] === l) && sameIndex(write, x)

const sameIndex = (a: Access, b: Access): boolean =>
  a.index.every((e, d) => {
    const p = affineOf(e),
      q = affineOf(b.index[d]!)
    return !!p && !!q && sameAffine(p, q)
  })

/** Whether `x` is outside the loops of `cover`, or reads what the same iteration wrote. */
function readsOwn(cover: Access, x: Access): boolean {
  const shared = cover.loops.filter((l, i) => x.loops[i] === l)
  if (shared.length === 0) return true
  const used = new Set(shared.map((l) => l.name))
  return cover.index.every((e, d) => {
    const p = affineOf(e),
      q = affineOf(x.index[d]!)
    if (!p || !q) return false
    return [...p.terms.keys()].some((n) => used.has(n)) ? sameAffine(p, q) : true
  })
}
