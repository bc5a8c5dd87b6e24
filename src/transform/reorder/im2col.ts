// In: the regions of a program. Out: the same, where sums of products of which one factor is seen through windows
// (`x[e, p + a] · w[o, e, a]`, with p in parallel, e and a summed) are a copy of what every window shows and a product
// of matrices of it. The one idea: an element lies in several windows, so that no loop indexes it alone; where enough
// results share what a window shows, it pays to write it down once, as convolutions are done through products
// ("im2col").
import { regionsWithKernels, type RegionContext } from '../fusion/adjacent-fusion.ts'
import {
  affineOf,
  bytesOf,
  choose,
  literal,
  loopVar,
  op,
  read,
  type ArrayDecl,
  type Expr,
  type Loop,
  type Program,
  zeroOf,
  type Nest,
  type Region,
  eachExpr,
  factorsOf,
  freshName,
  uses,
  varsOf,
  type Read,
  pass,
  type Regions,
} from '../../ir/index.ts'
import { canonical } from '../normalize/rebase.ts'
import { planned } from '../../analysis/index.ts'

// Before:
//
//   program p {
//     size f = 64 min 1
//     size h = 256 min 1
//     size w = 256 min 1
//     array x: f32[32, h + 2, w + 2] in global
//     array k: f32[f, 32, 3, 3] in global
//     array y: f32[f, h, w] out global
//     for o in 0 .. f {
//       for i in 0 .. h {
//         for j in 0 .. w {
//           declare s: f32[] temp private
//           s = 0.0f
//           for c in 0 .. 32 {
//             for u in 0 .. 3 {
//               for v in 0 .. 3 {
//                 s += x[c, i + u, j + v] * k[o, c, u, v]
//               }
//             }
//           }
//           y[o, i, j] = s
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size f = 64 min 1
//     size h = 256 min 1
//     size w = 256 min 1
//     array x: f32[32, h + 2, w + 2] in global
//     array k: f32[f, 32, 3, 3] in global
//     array y: f32[f, h, w] out global
//     array x_windows: f32[32, 3, 3, h, w] temp global
//     for c in 0 .. 32 {
//       for u in 0 .. 3 {
//         for v in 0 .. 3 {
//           for i in 0 .. h {
//             for j in 0 .. w {
//               x_windows[c, u, v, i, j] = x[c, i + u, j + v]
//             }
//           }
//         }
//       }
//     }
//     for o in 0 .. f {
//       for i in 0 .. h {
//         for j in 0 .. w {
//           declare s: f32[] temp private
//           s = 0.0f
//           for c in 0 .. 32 {
//             for u in 0 .. 3 {
//               for v in 0 .. 3 {
//                 s += k[o, c, u, v] * x_windows[c, u, v, i, j]
//               }
//             }
//           }
//           y[o, i, j] = s
//         }
//       }
//     }
//   }
export const im2col = pass<Regions, RegionContext>({
  name: 'im2col',
  summary: 'a sum over windows of an array with many filters is a product of matrices with a copy of the windows',
  of: regionsWithKernels,
  run: (given, { kernels }) => unfolded(given, kernels.isProduct),
})

/**
 * Results that share what a window shows, terms of a sum, and windows, from which on tiles of a product beat a thread
 * for each result.
 */
const fewestShared = 16,
  fewestTerms = 82,
  fewestWindows = 256
/** Bytes of a copy; larger ones are not made. */
const mostBytes = 2 ** 28

/**
 * `fits` says whether the product is scheduled as one. Loops of the host stay as they are: they would make a copy in
 * each iteration.
 */
function unfolded(given: Regions, fits: (program: Program, nest: Nest) => boolean): Regions {
  let { program } = given
  const out = given.regions.flatMap((r): readonly Region[] => {
    const found = r.kind === 'nest' && !r.before ? windowed(program, r) : undefined
    if (!found) return [r]
    const { copy, product } = apart(found, freshName(program, `${found.seen.array}_windows`))
    const next: Program = { ...program, arrays: [...program.arrays, copy.out.array] }
    if (!fits(next, product)) return [r]
    program = next
    return [copy, product]
  })
  return program === given.program ? given : { program, regions: out }
}

/** A sum of products through windows. */
interface Windowed {
  readonly nest: Nest
  /** The factor with the windows, all others, and a read of the former with one. */
  readonly factor: Expr
  readonly others: readonly Expr[]
  readonly seen: Read
}

function windowed(program: Program, given: Nest): Windowed | undefined {
  const nest = canonical(program, given),
    r = nest?.reduction
  if (!nest || !r || r.op !== 'add' || nest.guard || ![...nest.parallel, ...r.loops].every(isPlain)) return undefined
  const factors = factorsOf(r.value),
    isWindow = (x: Read): boolean =>
      x.index.some((e) => nest.parallel.some((p) => uses(e, p.name)) && r.loops.some((l) => uses(e, l.name)))
  const found = factors.flatMap((factor) => {
      const seen = readsOf(factor).find(isWindow)
      return seen ? [{ factor, seen }] : []
    }),
    [only] = found
  if (!only || found.length > 1) return undefined
  const others = factors.filter((f) => f !== only.factor),
    shown = [only.factor, ...(r.guard ? [r.guard] : [])]
  const inside = nest.parallel.filter((l) => shown.some((e) => uses(e, l.name))),
    shared = nest.parallel.filter((l) => !inside.includes(l))
  if (
    others.length !== 1 ||
    others[0]!.kind !== 'read' ||
    !r.loops.every((l) => uses(only.factor, l.name)) ||
    readsOf(only.factor).some((x) => x.array === nest.out.array.name)
  )
    return undefined
  const count = (loops: readonly Loop[]): number => loops.reduce((n, l) => n * planned(program, l.lower, l.upper, 1), 1)
  const type = only.seen.type,
    isFloat = type === 'f32' || type === 'f64',
    bytes = isFloat ? count(inside) * count(r.loops) * bytesOf[type] : Infinity
  const pays =
    only.factor.type === type &&
    count(shared) >= fewestShared &&
    count(r.loops) >= fewestTerms &&
    count(inside) >= fewestWindows &&
    bytes <= mostBytes
  return pays ? { nest, ...only, others } : undefined
}

const isPlain = (l: Loop): boolean =>
  literal(l.lower) === 0 && l.step === 1 && affineOf(l.upper) !== undefined && varsOf(l.upper).size === 0

function readsOf(e: Expr): readonly Read[] {
  const out: Read[] = []
  eachExpr(e, (x) => {
    if (x.kind === 'read') out.push(x)
  })
  return out
}

/**
 * The copy and the product. Windows lie in the order in which their elements do in memory: along the results, or along
 * the terms.
 */
function apart(
  { nest, factor, others, seen }: Windowed,
  name: string,
): { readonly copy: Nest; readonly product: Nest } {
  const r = nest.reduction!,
    shown = r.guard ? choose(r.guard, factor, zeroOf(factor.type)) : factor // it is one
  const inside = nest.parallel.filter((l) => uses(shown, l.name)),
    moving = inside.filter((l) => seen.index.some((e) => uses(e, l.name) && r.loops.some((k) => uses(e, k.name)))),
    still = inside.filter((l) => !moving.includes(l))
  const last = seen.index[seen.index.length - 1]!,
    alongResults = inside.some((l) => uses(last, l.name))
  const loops = [...still, ...(alongResults ? [...r.loops, ...moving] : [...moving, ...r.loops])]
  const array: ArrayDecl = {
    name,
    type: factor.type as 'f32' | 'f64',
    shape: loops.map((l) => l.upper),
    role: 'temp',
    space: 'global',
  } // asked before
  const index = loops.map((l) => loopVar(l.name))
  const copy: Nest = {
    kind: 'nest',
    parallel: loops,
    guard: undefined,
    reduction: undefined,
    out: { array, index, value: shown },
  }
  return {
    copy,
    product: { ...nest, reduction: { ...r, guard: undefined, value: op('mul', [others[0]!, read(array, index)]) } },
  } // there is one
}
