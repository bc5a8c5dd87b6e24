// In: a program with shapes. Out: the role of each array that the caller gives: read, written or both. The one idea: an
// array is `out` only when every element is written before any is read.
import {
  accesses,
  affineOf,
  coversWhole,
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
  const first = all.findIndex((x) => coversWhole(a, x))
  const cover = all[first]
  if (!cover || all.slice(0, first).some((x) => x.kind === 'read')) return 'inout'
  return all.slice(first + 1).every((x) => x.kind === 'write' || readsOwn(cover, x)) ? 'out' : 'inout'
}

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
