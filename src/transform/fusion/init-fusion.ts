// In: the computations of a program. Out: fewer: an assignment to every element that a later reduction goes on from
// becomes that reduction's start. The one idea: `C = βC` and `C += αAB` are one nest, not two kernels and a round trip
// through memory. It changes nothing else and keeps the order of the rest.
import {
  loopVar,
  type Expr,
  type Loop,
  type Program,
  type Nest,
  type Other,
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
  summary: 'an assignment to all elements that a reduction goes on from is the start of that reduction',
  of: loopNests,
  run: absorbed,
})

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

/** Absorbs what can be; the same object when nothing can. */
export function absorbed(given: Parts): Parts {
  const parts = [...given.parts]
  for (let i = 0; i < parts.length; i++) {
    const first = parts[i]!
    const j = parts.findIndex((p, k) => k > i && touches(p, first.kind === 'nest' ? first.out.array.name : ''))
    const next = parts[j]
    if (first.kind !== 'nest' || next?.kind !== 'nest') continue
    const joined = parts.slice(i + 1, j).every((p) => !writesWhatReads(p, first)) ? join(first, next) : undefined
    if (!joined) continue
    parts[j] = joined
    parts.splice(i--, 1)
  }
  return parts.length === given.parts.length ? given : { ...given, parts }
}

/** `first` as the start of the reduction `next`. */
function join(first: Nest, next: Nest): Nest | undefined {
  const r = next.reduction
  if (first.reduction || first.guard || next.guard || !r || first.out.array.name !== next.out.array.name)
    return undefined
  const names = matching(first, next)
  const start = r.init
  const goesOn =
    start.kind === 'read' &&
    start.array === next.out.array.name &&
    start.index.every((e, d) => sameExpr(e, next.out.index[d]!))
  if (!names || !goesOn || usesArray([next.out.value, r.value, ...(r.guard ? [r.guard] : [])], start.array))
    return undefined
  return {
    ...next,
    ...(first.before && { before: true }),
    reduction: { ...r, init: substitute(first.out.value, names) },
  }
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
