// In: the computations of a program. Out: fewer: an assignment to every element that a later reduction goes on from
// becomes that reduction's start. The one idea: `C = βC` and `C += αAB` are one nest, not two kernels and a round trip
// through memory. It changes nothing else and keeps the order of the rest.
import { holds, inequalityOf, sameIndex, signedSizeNames } from '../../analysis/index.ts'
import {
  addScaled,
  affineConstant,
  affineName,
  affineOf,
  coefficient,
  conjuncts,
  affineFolded,
  literal,
  loopVar,
  plus,
  type Affine,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Other,
  type Reduction,
  sameExpr,
  substitute,
  pass,
  loopNests,
  someExpr,
} from '../../ir/index.ts'
import { arraysOf } from '../fission/loop-distribution.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     for i in 0 .. n {
//       for j in 0 .. n {
//         C[i, j] = C[i, j] * 0.5f
//       }
//     }
//     for i2 in 0 .. n {
//       for j2 in 0 .. n {
//         declare s: f32[] temp private
//         s = C[i2, j2]
//         for k in 0 .. m {
//           s += A[i2, k] * B[k, j2]
//         }
//         C[i2, j2] = s
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array A: f32[n, m] in global
//     array B: f32[m, n] in global
//     array C: f32[n, n] inout global
//     for i2 in 0 .. n {
//       for j2 in 0 .. n {
//         declare s: f32[] temp private
//         s = C[i2, j2] * 0.5f
//         for k in 0 .. m {
//           s += A[i2, k] * B[k, j2]
//         }
//         C[i2, j2] = s
//       }
//     }
//   }
export const initFusion = pass({
  name: 'init-fusion',
  summary:
    'an assignment to all elements that a reduction goes on from is the start of that reduction; what is assigned ' +
    'without reading anything is so wherever the reduction goes',
  of: loopNests,
  run: absorbed,
})

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

/** Absorbs what can be; the same object when nothing can. */
export function absorbed(given: Parts): Parts {
  const parts = [...given.parts],
    signed = signedSizeNames(given.program)
  let changed = false
  for (let i = 0; i < parts.length; i++) {
    const first = parts[i]!
    const j = parts.findIndex((p, k) => k > i && touches(p, first.kind === 'nest' ? first.out.array.name : ''))
    const next = parts[j]
    if (first.kind !== 'nest' || next?.kind !== 'nest') continue
    const isStill = parts.slice(i + 1, j).every((p) => !writesWhatReads(p, first)),
      joined = isStill ? join(first, next) : undefined,
      begun = joined ?? begunWith(first, next)
    if (!begun) continue
    changed = true
    parts[j] = begun
    if (joined || coversAll(next, signed)) parts.splice(i--, 1)
  }
  return changed ? { ...given, parts } : given
}

/** `first` as the start of the reduction `next`. */
function join(first: Nest, next: Nest): Nest | undefined {
  const r = goesOn(first, next)
  if (!r || next.guard) return undefined
  const names = matching(first, next)
  return (
    names && {
      ...next,
      ...(first.before && { before: true }),
      reduction: { ...r, init: substitute(first.out.value, names) },
    }
  )
}

/** The reduction of `next` where it goes on, element by element, from what `first` assigns. */
function goesOn(first: Nest, next: Nest): Reduction | undefined {
  const r = next.reduction
  if (first.reduction || first.guard || !r || first.out.array.name !== next.out.array.name) return undefined
  const start = r.init
  const isThere = start.kind === 'read' && start.array === next.out.array.name && sameIndex(start.index, next.out.index)
  return isThere && !usesArray([next.out.value, r.value, ...(r.guard ? [r.guard] : [])], start.array) ? r : undefined
}

/** `next` from what `first` assigns to the whole array where that needs no memory, whichever elements `next` has. */
function begunWith(first: Nest, next: Nest): Nest | undefined {
  const r = goesOn(first, next),
    { array, index, value } = first.out
  if (!r || someExpr(value, (x) => x.kind === 'read') || first.parallel.length !== index.length) return undefined
  const names = new Map<string, Expr>()
  for (const [d, e] of index.entries()) {
    const own = e.kind === 'var' ? first.parallel.find((l) => l.name === e.name) : undefined
    if (!own || names.has(own.name) || !isFromTo(own, array.shape[d]!)) return undefined
    names.set(own.name, next.out.index[d]!)
  }
  return { ...next, reduction: { ...r, init: substitute(value, names) } }
}

const isFromTo = (l: Loop, extent: Expr): boolean =>
  literal(l.lower) === 0 && l.step === 1 && sameExpr(affineFolded(l.upper), affineFolded(extent))

/** Whether a nest stores to every element of its array: a dimension's loops are digits that begin with 1. */
function coversAll({ parallel, guard, out }: Nest, signed: ReadonlySet<string>): boolean {
  const inside: Affine[] = [],
    taken = new Set<string>()
  for (const [d, e] of out.index.entries()) {
    const at = affineOf(e),
      extent = affineOf(out.array.shape[d]!)
    if (!at || !extent) return false
    const own = parallel
      .filter((l) => at.terms.has(l.name))
      .sort((a, b) => coefficient(at, a.name) - coefficient(at, b.name))
    if (own.some((l) => taken.has(l.name) || literal(l.lower) !== 0 || l.step !== 1)) return false
    let weight = 1,
      most = addScaled(at, affineConstant(1), 1), // one more than the last
      least = at
    for (const l of own) {
      const count = affineOf(l.upper),
        c = coefficient(at, l.name)
      if (!count || c !== weight) return false
      weight *= literal(l.upper) ?? NaN // it must be the last
      least = addScaled(least, affineName(l.name), -c)
      most = addScaled(addScaled(most, affineName(l.name), -c), plus(count, -1), c)
      taken.add(l.name)
    }
    if (!holds(addScaled(affineConstant(0), least, -1), [], [], signed)) return false
    if (!holds(addScaled(most, extent, -1), [], [], signed)) return false
    inside.push(at, plus(addScaled(extent, at, -1), -1))
  }
  const always = (g: Expr): boolean => {
    const f = inequalityOf(g)
    return f !== undefined && holds(f, inside, [], signed)
  }
  return taken.size === parallel.length && (!guard || conjuncts(guard).every(always))
}

/** The loops of `a` as those of `b`, when both write the same whole box, a dimension per loop. */
function matching(a: Nest, b: Nest): ReadonlyMap<string, Expr> | undefined {
  const by = new Map<string, Expr>()
  if (a.parallel.length !== b.parallel.length || a.out.index.length !== a.parallel.length) return undefined
  const loopAt = (n: Nest, d: number): Loop | undefined => {
    const e = n.out.index[d]!
    return e.kind === 'var' ? n.parallel.find((l) => l.name === e.name) : undefined
  }
  const pairs = a.out.index.map((_, d) => [loopAt(a, d), loopAt(b, d)] as const)
  for (const [x, y] of pairs) {
    if (!x || !y || by.has(x.name)) return undefined
    by.set(x.name, loopVar(y.name))
  }
  const alike = pairs.every(
    ([x, y]) =>
      x &&
      y &&
      sameExpr(substitute(x.lower, by), y.lower) &&
      sameExpr(substitute(x.upper, by), y.upper) &&
      x.step === y.step,
  )
  return alike ? by : undefined
}

/** Whether one of `es` reads `array`. */
export const usesArray = (es: readonly Expr[], array: string): boolean =>
  es.some((e) => someExpr(e, (x) => x.kind === 'read' && x.array === array))

function readsOf(part: Nest): readonly Expr[] {
  const r = part.reduction
  const bounds = [...part.parallel, ...(r?.loops ?? [])].flatMap((l) => [l.lower, l.upper])
  return [
    ...part.out.index,
    part.out.value,
    ...bounds,
    ...(part.guard ? [part.guard] : []),
    ...(r ? [r.init, r.value, ...(r.guard ? [r.guard] : [])] : []),
  ]
}

function touches(part: Nest | Other, array: string): boolean {
  if (part.kind !== 'nest') return part.body.some((s) => arraysOf(s).has(array))
  return part.out.array.name === array || usesArray(readsOf(part), array)
}

/** Conservative for parts in no canonical form: what they touch at all. */
function writesWhatReads(writer: Nest | Other, reader: Nest): boolean {
  if (writer.kind === 'nest') return usesArray(readsOf(reader), writer.out.array.name)
  return writer.body.some((s) => [...arraysOf(s)].some((a) => usesArray(readsOf(reader), a)))
}
