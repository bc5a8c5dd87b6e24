// In: `for i in 0 .. n: if i % w == 0: for j < h: body`, as a loop in steps of a variable comes out. Out: one loop over
// blocks and the places in them, `for p in 0 .. n: i = (p >> log h) * w, j = p & (h - 1)`, in the same order; the same
// of `for b in 0 .. n / w: for j < h: body`. The one idea: where w is a power of two and h at most half of it, all
// blocks together have no more places than n, so that stages of a transform, whose blocks double, are the same loop
// each time.
import { isLength, powerOf, timesIn, type Power } from '../../analysis/index.ts'
import {
  add,
  addScaled,
  affineExpr,
  affineOf,
  hasOnlySizes,
  implies,
  int,
  literal,
  sizeDomain,
  loopVar,
  op,
  sub,
  when,
  type Constraint,
  type Expr,
  type Loop,
  type LoopStmt,
  type Program,
  claimName,
  conjuncts,
  namesOf,
  sameExpr,
  substituteStmt,
  varsOf,
  pass,
  loopIR,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] inout global
//     for t in 0 .. 5 {
//       for b in 0 .. n / (2 << t) {
//         for j in 0 .. 1 << t {
//           y[b * (2 << t) + j] += 1.0f
//         }
//       }
//     }
//   }
//
// After:
//
//   program p {
//     size n = 8 min 1
//     array y: f32[n] inout global
//     for t in 0 .. 5 {
//       for b_j in 0 .. n {
//         if 1 << t > 0 && b_j >> t < n / (2 << t) {
//           y[(b_j >> t) * (2 << t) + (b_j & (1 << t) - 1)] += 1.0f
//         }
//       }
//     }
//   }
export const stridedCoalescing = pass({
  name: 'strided-coalescing',
  summary: 'a loop over blocks around a loop over the places of one is one loop over all places',
  of: loopIR,
  run: overPlaces,
})

/** `program` with such loops as one; the same object where there are none. */
export function overPlaces(program: Program): Program {
  const taken = namesOf(program),
    known = sizeDomain(program).constraints,
    body = within(program.body, [], taken, known)
  return body === program.body ? program : { ...program, body }
}

function within(
  body: readonly LoopStmt[],
  guards: readonly Expr[],
  taken: Set<string>,
  known: readonly Constraint[],
): readonly LoopStmt[] {
  const out = body.map((s): LoopStmt => {
    if (s.kind === 'loop') {
      const found = asPlaces(s, guards, taken, known) ?? ofBlocks(s, taken),
        inner = within(
          (found ?? s).body,
          guards.filter((g) => !varsOf(g).has(s.name)),
          taken,
          known,
        )
      return found || inner !== s.body ? { ...(found ?? s), body: inner } : s
    }
    if (s.kind !== 'if') return s
    const then = within(s.then, [...guards, ...conjuncts(s.condition)], taken, known),
      otherwise = within(s.else, guards, taken, known)
    return then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }
  })
  return out.every((s, i) => s === body[i]) ? body : out
}

/**
 * The loop over all places of the blocks, where the conditions around it say that there are no more of them than blocks
 * begin below.
 */
function asPlaces(
  blocks: Loop,
  guards: readonly Expr[],
  taken: Set<string>,
  known: readonly Constraint[],
): Loop | undefined {
  const test = only(blocks.body),
    places = test?.kind === 'if' && test.else.length === 0 ? only(test.then) : undefined
  if (
    test?.kind !== 'if' ||
    places?.kind !== 'loop' ||
    places.step !== 1 ||
    blocks.step !== 1 ||
    literal(blocks.lower) !== 0
  )
    return undefined
  const width = widthOf(test.condition, blocks.name),
    from = loopVar(blocks.name)
  const atStart = sameExpr(places.lower, from),
    count = atStart ? after(places.upper, from) : literal(places.lower) === 0 ? places.upper : undefined
  if (!width || !count) return undefined
  const fixed = (e: Expr): boolean => !varsOf(e).has(blocks.name) && !varsOf(e).has(places.name),
    w = powerOf(width, fixed),
    h = powerOf(count, fixed)
  if (!w && !h && fixed(width) && fixed(count) && timesIn(width, count) >= 2 && isWithin(width, blocks.upper, known))
    return overLengths(blocks, places, width, count, atStart, taken)
  if (
    !w ||
    !h ||
    h.factor < 1 ||
    w.exponent !== h.exponent ||
    2 * h.factor > w.factor ||
    !guards.some((g) => isAtMost(g, h, blocks.upper, fixed))
  )
    return undefined
  const name = claimName(taken, `${blocks.name}_${places.name}`),
    p = loopVar(name),
    q = op('shr', [p, exponentOf(h)]),
    r = op('and', [p, op('sub', [count, int(1)])])
  const start = op('mul', [q, width]),
    by = new Map([
      [blocks.name, start],
      [places.name, atStart ? add(start, r) : r],
    ])
  const inside = op('le', [q, op('shr', [sub(blocks.upper, int(1)), exponentOf(w)])])
  return {
    ...blocks,
    name,
    body: [
      when(
        op('land', [op('gt', [count, int(0)]), inside]),
        places.body.map((s) => substituteStmt(s, by)),
      ),
    ],
  }
}

/** The same for any lengths: h at most half of w, and w at most n, so that ⌈n / w⌉ h ≤ n. */
function overLengths(blocks: Loop, places: Loop, width: Expr, count: Expr, atStart: boolean, taken: Set<string>): Loop {
  const name = claimName(taken, `${blocks.name}_${places.name}`),
    p = loopVar(name),
    start = op('mul', [op('div', [p, count]), width]),
    r = op('rem', [p, count])
  const by = new Map([
    [blocks.name, start],
    [places.name, atStart ? add(start, r) : r],
  ])
  return {
    ...blocks,
    name,
    body: [
      when(
        op('land', [op('gt', [count, int(0)]), op('lt', [start, blocks.upper])]),
        places.body.map((s) => substituteStmt(s, by)),
      ),
    ],
  }
}

/** Whether k (x >> t) is at most `most` for sure, for x is at most a k-th of it. */
function isWithin(width: Expr, most: Expr, known: readonly Constraint[]): boolean {
  const [a, b] = width.kind === 'op' && width.op === 'mul' ? width.args : [width, int(1)],
    [part, k] = literal(a!) === undefined ? [a!, literal(b!)] : [b!, literal(a!)] // a product has two
  const x = part.kind === 'op' && part.op === 'shr' ? affineOf(part.args[0]!) : undefined,
    end = affineOf(most) // a shift has two
  return (
    x !== undefined &&
    end !== undefined &&
    k !== undefined &&
    k >= 1 &&
    isLength(affineExpr(x)) &&
    hasOnlySizes(end) &&
    implies(known, addScaled(end, x, -k))
  )
}

/**
 * The loop over all places of as many blocks of w places as there are in a number, where h is at most w: so there are
 * no more of them than that number.
 */
function ofBlocks(blocks: Loop, taken: Set<string>): Loop | undefined {
  const places = only(blocks.body),
    [all, width] = blocks.upper.kind === 'op' && blocks.upper.op === 'div' ? blocks.upper.args : []
  if (
    places?.kind !== 'loop' ||
    !all ||
    !width ||
    places.step !== 1 ||
    blocks.step !== 1 ||
    literal(blocks.lower) !== 0 ||
    literal(places.lower) !== 0
  )
    return undefined
  const fixed = (e: Expr): boolean => !varsOf(e).has(blocks.name) && !varsOf(e).has(places.name),
    w = powerOf(width, fixed),
    h = powerOf(places.upper, fixed)
  if (!w || !h || w.exponent === '' || h.factor < 1 || w.exponent !== h.exponent || h.factor > w.factor)
    return undefined
  const name = claimName(taken, `${blocks.name}_${places.name}`),
    p = loopVar(name),
    q = op('shr', [p, exponentOf(h)])
  const by = new Map([
    [blocks.name, q],
    [places.name, op('and', [p, op('sub', [places.upper, int(1)])])],
  ])
  const inside = op('land', [op('gt', [places.upper, int(0)]), op('lt', [q, blocks.upper])])
  return {
    ...blocks,
    name,
    upper: all,
    body: [
      when(
        inside,
        places.body.map((s) => substituteStmt(s, by)),
      ),
    ],
  }
}

/** log₂ of a power of at least 1. */
const exponentOf = (x: Power): Expr => add(affineExpr(x.form), int(Math.log2(x.factor)))

const only = (body: readonly LoopStmt[]): LoopStmt | undefined => (body.length === 1 ? body[0] : undefined)

/** w, where the condition is i % w == 0. */
function widthOf(e: Expr, i: string): Expr | undefined {
  const rest = e.kind === 'op' && e.op === 'eq' && literal(e.args[1]!) === 0 ? e.args[0]! : undefined // two arguments
  return rest?.kind === 'op' && rest.op === 'rem' && rest.args[0]!.kind === 'var' && rest.args[0]!.name === i
    ? rest.args[1]
    : undefined
}

/** `e` less `from`, where it is a sum with it. */
function after(e: Expr, from: Expr): Expr | undefined {
  if (e.kind !== 'op' || e.op !== 'add') return undefined
  const [a, b] = e.args as readonly [Expr, Expr] // a sum has two
  return sameExpr(a, from) ? b : sameExpr(b, from) ? a : undefined
}

/** Whether `g` says that `most` is no less than the power `h`. */
function isAtMost(g: Expr, h: Power, most: Expr, fixed: (e: Expr) => boolean): boolean {
  if (g.kind !== 'op') return false
  const [less, more] =
    g.op === 'le' || g.op === 'lt' ? g.args : g.op === 'ge' || g.op === 'gt' ? [g.args[1], g.args[0]] : []
  const power = less && more && sameExpr(more, most) ? powerOf(less, fixed) : undefined
  return power !== undefined && power.exponent === h.exponent && power.factor >= h.factor
}
