// In: the computations of a program. Out: the same, where a loop that does something in one iteration alone is that
// iteration: one whose terms stand under `k == e`, or are multiplied by what is 0 elsewhere. The one idea is the
// sifting property of Kronecker's delta, Σₖ δ(k, e) f(k) = f(e) for an e that the loop reaches. So products with
// diagonal, shifted and one-hot matrices that are spelled as full ones are reads. Zero times an infinity is taken to be
// 0, as it is where a matrix is stored without its zeros. It looks at one condition after the other and solves none
// together.
import {
  addScaled,
  affineConstant,
  affineExpr,
  affineName,
  affineOf,
  choose,
  coefficient,
  conjunction,
  conjuncts,
  insideLoops,
  isAtLeast,
  isOne,
  literal,
  loopNests,
  lt,
  negated,
  op,
  pass,
  reduced,
  replaceReads,
  sameExpr,
  sub,
  substitute,
  identityOf,
  uses,
  type Affine,
  type Domain,
  type Expr,
  type Loop,
  type Nest,
  type Other,
  type Program,
  type ReduceOp,
  type Reduction,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array d: f32[n] in global
//     array B: f32[n, m] in global
//     array C: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         declare s: f32[] temp private
//         s = 0.0f
//         for k in 0 .. n {
//           s += (i == k ? d[i] : 0.0f) * B[k, j]
//         }
//         C[i, j] = s
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     size m = 8 min 1
//     array d: f32[n] in global
//     array B: f32[n, m] in global
//     array C: f32[n, m] out global
//     for i in 0 .. n {
//       for j in 0 .. m {
//         C[i, j] = 0.0f + d[i] * B[i, j]
//       }
//     }
//   }
export const deltaSifting = pass({
  name: 'delta-sifting',
  summary: 'a loop that a condition on its variable leaves one iteration is that iteration',
  of: loopNests,
  needs: ['affine implication'],
  run: sifted,
})

interface Parts {
  readonly program: Program
  readonly parts: readonly (Nest | Other)[]
}

function sifted(given: Parts): Parts {
  const parts = given.parts.map((p) => (p.kind === 'nest' ? siftedNest(given.program, p) : p))
  return parts.every((p, i) => p === given.parts[i]) ? given : { ...given, parts }
}

/** The nest with as few loops as its conditions leave; itself where they leave all. */
function siftedNest(program: Program, given: Nest): Nest {
  if (given.before) return given
  let nest = given
  for (let next: Nest | undefined = nest; next; next = withoutParallel(program, nest) ?? withoutTerms(program, nest))
    nest = next
  return nest
}

// ── loops of results ──────────────────────────────────────────────────────────────────────────────────────────────

/** The nest without a parallel loop that its guard fixes; the last one stays. */
function withoutParallel(program: Program, nest: Nest): Nest | undefined {
  const { parallel, guard, reduction: r, out } = nest,
    found = guard && parallel.length > 1 ? fixedIn(parallel, conjuncts(guard)) : undefined
  // where data choose an element, results are scattered
  if (!found || affineOf(found.value) === undefined) return undefined
  const at = found.at,
    left = parallel.filter((l) => l !== found.loop).map((l) => inLoop(l, at)),
    reached = inRange(insideLoops(program, left), found)
  return {
    ...nest,
    parallel: left,
    guard: conjunction([...reached, ...found.others.map((g) => substitute(g, at))]),
    reduction: r && {
      ...r,
      loops: r.loops.map((l) => inLoop(l, at)),
      guard: r.guard && substitute(r.guard, at),
      init: substitute(r.init, at),
      value: substitute(r.value, at),
    },
    out: { ...out, index: out.index.map((e) => substitute(e, at)), value: substitute(out.value, at) },
  }
}

// ── loops of terms ────────────────────────────────────────────────────────────────────────────────────────────────

/** The nest without a loop of its reduction that a condition on the terms fixes. */
function withoutTerms(program: Program, nest: Nest): Nest | undefined {
  const { reduction: r } = nest
  if (!r) return undefined
  const term = termOf(r.value, r),
    found = fixedIn(r.loops, [...(r.guard ? conjuncts(r.guard) : []), ...term.guards])
  if (!found) return undefined
  const { at } = found,
    loops = r.loops.filter((l) => l !== found.loop).map((l) => inLoop(l, at)),
    reached = inRange(insideLoops(program, [...nest.parallel, ...loops]), found),
    guard = conjunction([...reached, ...found.others.map((g) => substitute(g, at))]),
    value = substitute(term.value, at)
  if (loops.length > 0) return { ...nest, reduction: { ...r, loops, guard, value } }
  const once = reduced(r.op, r.init, value),
    only = guard ? choose(guard, once, r.init) : once
  return { ...nest, reduction: undefined, out: { ...nest.out, value: replaceReads(nest.out.value, r.into.name, only) } }
}

/** The conditions of a term of a reduction, where one of them leaves one of `loops` a single iteration. */
export function siftedTerm(value: Expr, op: ReduceOp, loops: readonly Loop[]): Term | undefined {
  const term = termOf(value, { op })
  return isFixing(term.guards, loops) ? term : undefined
}

/** Whether one of the conditions leaves one of `loops` a single iteration. */
export const isFixing = (guards: readonly Expr[], loops: readonly Loop[]): boolean =>
  fixedIn(loops, guards) !== undefined

/** What is summed where all of `guards` hold; nothing is where one fails. */
export interface Term {
  readonly guards: readonly Expr[]
  readonly value: Expr
}

function termOf(e: Expr, r: Pick<Reduction, 'op'>): Term {
  const chosen =
    e.kind === 'choose' ? [e.condition, e.then, e.else] : e.kind === 'op' && e.op === 'select' ? e.args : []
  const [condition, then, otherwise] = chosen
  if (condition && then && otherwise) {
    const isNothing = (x: Expr): boolean => sameExpr(x, identityOf(r.op, e.type))
    const [holds, left] = isNothing(otherwise)
      ? [condition, then]
      : isNothing(then)
        ? [negated(condition), otherwise]
        : []
    if (!holds || !left) return { guards: [], value: e }
    const inner = termOf(left, r)
    return { guards: [...conjuncts(holds), ...inner.guards], value: inner.value }
  }
  if (e.kind !== 'op' || r.op !== 'add') return { guards: [], value: e }
  if (e.op === 'convert' && e.args[0]!.type === 'bool')
    return { guards: conjuncts(e.args[0]!), value: identityOf('mul', e.type) }
  if (e.op !== 'mul' && e.op !== 'neg') return { guards: [], value: e }
  const parts = e.args.map((x) => termOf(x, r)),
    guards = parts.flatMap((p) => p.guards),
    values = parts.map((p) => p.value)
  if (guards.length === 0) return { guards, value: e }
  const factor = e.op === 'mul' ? values.findIndex(isOne) : -1
  return { guards, value: factor < 0 ? op(e.op, values) : values[1 - factor]! } // the other of two
}

// ── conditions that fix a variable ────────────────────────────────────────────────────────────────────────────────

/** A loop that runs where its variable is `value`. */
interface Fixed {
  readonly loop: Loop
  readonly value: Expr
  readonly at: ReadonlyMap<string, Expr>
  /** The conditions but the one that says so. */
  readonly others: readonly Expr[]
}

function fixedIn(loops: readonly Loop[], guards: readonly Expr[]): Fixed | undefined {
  for (const guard of guards)
    for (const loop of [...loops].reverse()) {
      const value = loop.step === 1 ? solvedFor(loop, guard) : undefined
      if (!value) continue
      const isUsedInBounds = loops.some((l) => uses(l.lower, loop.name) || uses(l.upper, loop.name)),
        later = loops.slice(loops.indexOf(loop) + 1)
      // loops inside of it count for the values that it is
      if ((isUsedInBounds && affineOf(value) === undefined) || later.some((l) => uses(value, l.name))) continue
      const others = guards.filter((g) => g !== guard)
      return { loop, value, at: new Map([[loop.name, value]]), others }
    }
  return undefined
}

/** What the variable of the loop is where `guard` holds, if that says it. */
function solvedFor(loop: Loop, guard: Expr): Expr | undefined {
  if (guard.kind !== 'op' || guard.op !== 'eq') return undefined
  const [x, y] = guard.args as [Expr, Expr] // a comparison has two
  if (x.type !== 'i32') return undefined
  const both = affineOf(x) && affineOf(y)
  if (both) return solution(addScaled(affineOf(x)!, affineOf(y)!, -1), loop, undefined)
  const [left, right] = uses(y, loop.name) ? [y, x] : [x, y],
    form = uses(right, loop.name) ? undefined : affineOf(left)
  return form && solution(form, loop, right)
}

/** The variable where `form` is `right`, or 0. */
function solution(form: Affine, loop: Loop, right: Expr | undefined): Expr | undefined {
  const c = coefficient(form, loop.name)
  if (Math.abs(c) !== 1) return undefined
  const rest = addScaled(form, affineName(loop.name), -c)
  if (!right) return affineExpr(addScaled(affineConstant(0), rest, -c))
  const from = affineExpr(rest)
  if (c > 0) return literal(from) === 0 ? right : sub(right, from)
  return sub(from, right)
}

/** That the loop reaches the value, as far as `around` does not say so. */
function inRange(around: Domain, { loop, value }: Fixed): readonly Expr[] {
  return [
    ...(isAtLeast(around, value, loop.lower) ? [] : [op('ge', [value, loop.lower])]),
    ...(isAtLeast(around, loop.upper, value, 1) ? [] : [lt(value, loop.upper)]),
  ]
}

const inLoop = (l: Loop, at: ReadonlyMap<string, Expr>): Loop => ({
  ...l,
  lower: substitute(l.lower, at),
  upper: substitute(l.upper, at),
})
