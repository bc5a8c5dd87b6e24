// In: the regions of a program. Out: the same, with remainders by sizes replaced by comparisons and subtractions where
// the dividend is known to be less than three times the divisor. The one idea is strength reduction: `(y + 1 + h) % h`
// with y in 0 .. h - 1 takes the divisor away once or twice at most, and a division takes the time of twenty additions.
// How large the dividend can be is a polynomial over sizes (the range test's).
import {
  isNeverNegative,
  literal,
  loopsOfNest,
  op,
  pass,
  plusScaled,
  polynomialOf,
  polynomialProduct,
  rewriteExpr,
  signedSizes,
  sub,
  symbolsOf,
  type Expr,
  type Flat,
  type Form,
  type HostLoop,
  type Loop,
  type Nest,
  type Polynomial,
  type Program,
  type Region,
  type Regions,
} from '../../ir/index.ts'
import { rangeOver, type Range } from '../../analysis/index.ts'
import {
  partOfForm,
  regionsWithKernels,
  mapRegions,
  withRegions,
  type RegionContext,
} from '../fusion/adjacent-fusion.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = x[(i + 1) % n]
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array x: f32[n] in global
//     array y: f32[n] out global
//     for i in 0 .. n {
//       y[i] = x[select(i + 1 >= n, i + 1 - n, i + 1)]
//     }
//   }
export const remainderStrengthReduction = pass<Regions, RegionContext>({
  name: 'remainder-strength-reduction',
  summary: 'a remainder of what is less than three times the divisor is a difference, under comparisons',
  of: regionsWithKernels,
  run: (given) =>
    withRegions(
      given,
      mapRegions(given.regions, (r) => changedRegion(given.program, r)),
    ),
})

function changedRegion(program: Program, r: Exclude<Region, HostLoop>): Region {
  if (r.kind === 'nest') return changedNest(program, r)
  if (r.kind === 'serial' || !hasNests(r.form)) return r
  const form = withNests(program, r.form)
  return form === r.form ? r : { ...partOfForm(program, form.nests, form), why: r.why, parallel: r.parallel }
}

type OfNests = Extract<Form, { readonly nests: readonly Nest[] }>

const hasNests = (form: Form): form is OfNests => 'nests' in form

function withNests(program: Program, form: OfNests): OfNests {
  const nests = changedNests(program, form.nests),
    flat = form.flat && changedFlat(program, form.flat)
  return nests === form.nests && flat === form.flat ? form : { ...form, nests, ...(flat && { flat }) }
}

function changedFlat(program: Program, flat: Flat): Flat {
  const nests = changedNests(program, flat.nests)
  return nests === flat.nests ? flat : { ...flat, nests }
}

function changedNests(program: Program, nests: readonly Nest[]): readonly Nest[] {
  const out = nests.map((n) => changedNest(program, n))
  return out.every((n, i) => n === nests[i]) ? nests : out
}

function changedNest(program: Program, nest: Nest): Nest {
  const reduce = reducer(program, loopsOfNest(nest)),
    one = (e: Expr): Expr => rewriteExpr(e, reduce),
    flat = nest.flat && changedFlat(program, nest.flat)
  const { guard, reduction: r, out } = nest
  const index = out.index.map(one),
    value = one(out.value),
    sum = r && { ...r, ...(r.guard && { guard: one(r.guard) }), init: one(r.init), value: one(r.value) },
    asked = guard && one(guard)
  const isSame =
    flat === nest.flat &&
    asked === guard &&
    value === out.value &&
    index.every((e, d) => e === out.index[d]) &&
    (!r || (sum!.guard === r.guard && sum!.init === r.init && sum!.value === r.value)) // it has both or none
  return isSame ? nest : { ...nest, guard: asked, reduction: sum, out: { ...out, index, value }, ...(flat && { flat }) }
}

/** What a remainder of integers is instead, in iterations of `loops`; `undefined` where nothing is. */
function reducer(program: Program, loops: readonly Loop[]): (e: Expr) => Expr | undefined {
  const signed = signedSizes(symbolsOf(program)),
    positive = new Set(symbolsOf(program).flatMap((s) => (s.min > 0 ? [s.name] : [])))
  const isNotNegative = (p: Polynomial): boolean => isNeverNegative(p, signed, positive)
  /** `x` − `y` − 1 is not negative. */
  const isMore = (x: Polynomial, y: Polynomial): boolean =>
    isNotNegative(plusScaled(plusScaled(x, y, -1), new Map([['', 1]]), -1))
  const rangeOf = (e: Expr): Range | undefined => {
    const own = rangeOver(e, loops, signed)
    if (own || e.kind !== 'op') return own
    const [a, b] = e.args.map(rangeOf)
    if (e.op === 'add' && a && b) return { low: plusScaled(a.low, b.low, 1), high: plusScaled(a.high, b.high, 1) }
    if (e.op === 'sub' && a && b) return { low: plusScaled(a.low, b.high, -1), high: plusScaled(a.high, b.low, -1) }
    if (e.op !== 'rem' || !a) return undefined
    const by = polynomialOf(e.args[1]!), // it has two
      zero: Polynomial = new Map()
    const least = isNotNegative(a.low) ? zero : isNotNegative(plusScaled(zero, a.low, -1)) ? a.low : undefined
    return by && least && { low: least, high: plusScaled(by, new Map([['', 1]]), -1) }
  }
  const reduced = (e: Expr): Expr | undefined => {
    if (e.kind !== 'op' || e.op !== 'rem' || e.type !== 'i32') return undefined
    const [x, m] = e.args as readonly [Expr, Expr] // it has two
    const by = literal(m) === undefined ? polynomialOf(m) : undefined,
      range = by && rangeOver(m, loops, signed) && rangeOf(x)
    if (!by || !range || !isMore(plusScaled(range.low, by, 1), new Map())) return undefined
    const inside = rewriteExpr(x, reduced),
      isBelow = (times: number): boolean => isMore(polynomialProduct(by, new Map([['', times]])), range.high)
    const lessIfMore = (y: Expr, less: Expr): Expr => op('select', [op('ge', [y, m]), less, y]),
      less = sub(inside, m)
    if (isBelow(1)) return inside
    if (isBelow(2)) return lessIfMore(inside, less)
    return isBelow(3) ? lessIfMore(inside, lessIfMore(less, sub(less, m))) : undefined
  }
  return reduced
}
