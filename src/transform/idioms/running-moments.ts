// In: a loop that keeps the mean so far and the sum of squares around it: `d = x - mean; mean += d / count; m2 += d *
// (x - mean)` (Welford, 1962). Out: the sum of all first, then the squares around the mean of all, which are
// reductions. The one idea is that of Chan, Golub and LeVeque (1983), who compare both: the two passes are as exact,
// and their terms do not wait for each other. Shown by what an iteration makes of both, in terms of the ones before it.
// Loops that may be empty, that begin with a mean of some values, or that do anything else stay as they are.
import {
  add,
  addScaled,
  affineOf,
  claimName,
  factorsOf,
  implies,
  insideLoop,
  isFloat,
  isOne,
  isZero,
  literal,
  loopIR,
  loopVar,
  mul,
  namesOf,
  nest,
  op,
  pass,
  perfectNest,
  plus,
  plusScaled,
  polynomialOf,
  read,
  registerType,
  rewriteExpr,
  sameExpr,
  sets,
  sizeDomain,
  someExpr,
  store,
  sub,
  uses,
  zeroOf,
  type ArrayDecl,
  type Domain,
  type Expr,
  type Loop,
  type LoopStmt,
  type Polynomial,
  type Program,
} from '../../ir/index.ts'

// Before:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare mean: f32[] temp private
//     mean = 0.0f
//     declare m2: f32[] temp private
//     m2 = 0.0f
//     for i in 0 .. n {
//       declare d: f32[] temp private
//       d = x[i] - mean
//       mean += d / f32(i + 1)
//       m2 += d * (x[i] - mean)
//     }
//     y[0] = mean
//     y[1] = m2 / f32(n)
//   }
//
// After:
//
//   program p {
//     size n = 64 min 1
//     array x: f32[n] in global
//     array y: f32[2] out global
//     declare mean: f32[] temp private
//     mean = 0.0f
//     declare m2: f32[] temp private
//     m2 = 0.0f
//     declare mean_sum: f32[] temp private
//     mean_sum = 0.0f
//     for i in 0 .. n {
//       mean_sum += x[i]
//     }
//     mean = mean_sum / f32(n)
//     for i in 0 .. n {
//       m2 += (x[i] - mean) * (x[i] - mean)
//     }
//     y[0] = mean
//     y[1] = m2 / f32(n)
//   }
export const runningMoments = pass<Program>({
  name: 'running-moments',
  summary: 'a mean so far and squares around it are the mean of all and squares around that',
  of: loopIR,
  needs: ['affine implication'],
  run: inTwoPasses,
})

/** The program with such loops in two; the same object where there are none. */
export function inTwoPasses(program: Program): Program {
  const body = new Moments(program).block(program.body, sizeDomain(program), [])
  return body === program.body ? program : { ...program, body }
}

/** What an iteration makes of locals that are there before it, in terms of what they were. */
type Values = ReadonlyMap<string, Expr>

interface Found {
  readonly mean: ArrayDecl
  /** What the mean is of. */
  readonly value: Expr
  /** Sums of squares around it. */
  readonly squares: readonly ArrayDecl[]
  /** Numbers of iterations so far. */
  readonly counters: readonly ArrayDecl[]
}

class Moments {
  private readonly taken: Set<string>

  constructor(program: Program) {
    this.taken = namesOf(program)
  }

  /** `body` with such loops in two; `known`: locals that are declared around it. */
  block(body: readonly LoopStmt[], d: Domain, around: readonly ArrayDecl[]): readonly LoopStmt[] {
    const known = [...around]
    const made = (s: LoopStmt, before: readonly LoopStmt[]): readonly LoopStmt[] => {
      if (s.kind === 'declare') known.push(s.array)
      if (s.kind === 'if') {
        const [then, otherwise] = [this.block(s.then, d, known), this.block(s.else, d, known)]
        return [then === s.then && otherwise === s.else ? s : { ...s, then, else: otherwise }]
      }
      if (s.kind !== 'loop') return [s]
      const over = nestIn(s, d),
        found = over && momentsIn(over, known, before)
      if (found) return this.inTwo(over, found)
      const inner = this.block(s.body, insideLoop(d, s), known)
      return [inner === s.body ? s : { ...s, body: inner }]
    }
    const out = body.flatMap((s, at) => made(s, body.slice(0, at)))
    return out.every((s, i) => s === body[i]) ? body : out
  }

  private inTwo({ loops, count }: Over, { mean, value, squares, counters }: Found): readonly LoopStmt[] {
    const sum: ArrayDecl = { ...mean, name: claimName(this.taken, `${mean.name}_sum`) },
      apart = op('sub', [value, read(mean, [])]),
      counted = (of: ArrayDecl): Expr => op('convert', [count], registerType(of.type))
    const around = squares.map((s) => store(s, [], op('mul', [apart, apart]), 'add'))
    return [
      { kind: 'declare', array: sum },
      store(sum, [], zeroOf(registerType(sum.type))),
      ...nest(loops, [store(sum, [], value, 'add')]),
      store(mean, [], op('div', [read(sum, []), counted(mean)])),
      ...(squares.length > 0 ? nest(loops, around) : []),
      ...counters.map((c) => store(c, [], counted(c))),
    ]
  }
}

/** Loops around one another, and what there is in them. */
interface Over {
  readonly loops: readonly Loop[]
  readonly body: readonly LoopStmt[]
  /** Of all iterations, one at least. */
  readonly count: Expr
  /** The number of an iteration, from 0. */
  readonly place: Polynomial
  /** What the loops are in. */
  readonly d: Domain
}

/** The loop and those that it is all around, where each counts by one and has iterations, as many in each of others. */
function nestIn(l: Loop, d: Domain): Over | undefined {
  const { loops, body } = perfectNest(l),
    names = loops.map((x) => x.name)
  const isRectangular = loops.every(
    (x) => x.step === 1 && !names.some((n) => uses(x.lower, n) || uses(x.upper, n)) && isFilled(x, d),
  )
  if (!isRectangular) return undefined
  const extents = loops.map((x) => sub(x.upper, x.lower)),
    count = extents.reduce(mul),
    place = loops.map((x) => sub(loopVar(x.name), x.lower)).reduce((at, x, i) => add(mul(at, extents[i]!), x)),
    known = polynomialOf(place)
  return known && { loops, body, count, place: known, d }
}

/** Whether there is an iteration at all sizes. */
function isFilled(l: Loop, d: Domain): boolean {
  const lower = affineOf(l.lower),
    upper = affineOf(l.upper)
  if (lower && upper) return implies(d.constraints, plus(addScaled(upper, lower, -1), -1))
  return literal(l.lower) === 0 && isFull(l.upper, d)
}

/** Whether it is a product of what is at least 1 each. */
const isFull = (e: Expr, d: Domain): boolean =>
  factorsOf(e).every((f) => {
    const form = affineOf(f)
    return form !== undefined && implies(d.constraints, plus(form, -1))
  })

/** `e` without asking whether such products are negative. */
const withoutMaxima = (e: Expr, d: Domain): Expr =>
  rewriteExpr(e, (x) => {
    const [a, b] = x.kind === 'op' && x.op === 'max' ? x.args : []
    return a && b && isZero(b) && isFull(a, d) ? a : undefined
  })

/** The mean and the squares that all of the statements are about; `before`: what runs before the loops. */
function momentsIn(over: Over, known: readonly ArrayDecl[], before: readonly LoopStmt[]): Found | undefined {
  const made = valuesOf(over.body)
  if (!made) return undefined
  const own = new Set(over.body.flatMap((s) => (s.kind === 'declare' ? [s.array.name] : []))),
    kept = known.filter((a) => made.has(a.name) && !own.has(a.name))
  if ([...made.keys()].some((name) => !own.has(name) && !kept.some((a) => a.name === name))) return undefined
  const counters = kept.filter((a) => isCounter(a, made, before)),
    isCount = countIn(over, counters)
  for (const mean of kept) {
    if (mean.type !== 'f32' && mean.type !== 'f64') continue
    const value = averaged(made.get(mean.name)!, mean, isCount), // it is made
      squares = kept.filter((a) => a !== mean && !counters.includes(a))
    if (!value || someExpr(value, (x) => x.kind === 'read' && made.has(x.array))) continue
    if (squares.every((s) => s.type === mean.type && isSquares(made, s, mean, value)))
      return { mean, value, squares, counters }
  }
  return undefined
}

/** Whether the local is 0 before the loops, and gains 1 in each iteration. */
function isCounter(a: ArrayDecl, made: Values, before: readonly LoopStmt[]): boolean {
  const gained = addedTo(made.get(a.name)!, a), // it is made
    start = before.findLast((s) => sets([s], a.name))
  return !!gained && isOne(gained) && start?.kind === 'store' && !start.reduce && isZero(start.value)
}

/** Whether an expression is 1 in the first iteration, and one more in each after it. */
type IsCount = (e: Expr) => boolean

function countIn({ place, d }: Over, counters: readonly ArrayDecl[]): IsCount {
  const isPlace = (e: Expr, first: number): boolean => {
    const p = polynomialOf(withoutMaxima(e, d)),
      apart = p && plusScaled(p, place, -1)
    return apart !== undefined && [...apart.keys()].every((key) => key === '') && (apart.get('') ?? 0) === first
  }
  const from = (e: Expr, first: number): boolean => {
    if (e.kind === 'op' && e.op === 'convert') return from(e.args[0]!, first) // of one
    if (first === 0 && counters.some((c) => sameExpr(e, read(c, [])))) return true
    if (!isFloat(e.type) && isPlace(e, first)) return true
    const [a, b] = e.kind === 'op' && e.op === 'add' && first === 1 ? e.args : []
    return a !== undefined && b !== undefined && ((isOne(b) && from(a, 0)) || (isOne(a) && from(b, 0)))
  }
  return (e) => from(e, 1)
}

/** What statements make of locals; undefined where there is anything but stores to locals. */
function valuesOf(body: readonly LoopStmt[]): Values | undefined {
  const values = new Map<string, Expr>()
  const now = (e: Expr): Expr =>
    rewriteExpr(e, (x) => (x.kind === 'read' && x.index.length === 0 ? values.get(x.array) : undefined))
  for (const s of body) {
    if (s.kind === 'declare' && s.array.shape.length === 0) continue
    if (s.kind !== 'store' || s.index.length > 0 || (s.reduce && s.reduce !== 'add')) return undefined
    const value = now(s.value),
      old: Expr = { kind: 'read', type: value.type, array: s.array, index: [] }
    values.set(s.array, s.reduce ? op('add', [values.get(s.array) ?? old, value]) : value)
  }
  return values
}

/** What is averaged where `e` is `mean + (x − mean) / count`, with the number of this iteration from 1 as the count. */
function averaged(e: Expr, mean: ArrayDecl, isCount: IsCount): Expr | undefined {
  const share = addedTo(e, mean)
  if (share?.kind !== 'op') return undefined
  const [a, b] = share.args
  if (share.op === 'div') return b && isCount(b) ? apartFrom(a!, mean) : undefined // of two
  if (share.op !== 'mul' || !a || !b) return undefined
  // a quotient is of two
  const isShare = (x: Expr): boolean => x.kind === 'op' && x.op === 'div' && isOne(x.args[0]!) && isCount(x.args[1]!)
  return isShare(b) ? apartFrom(a, mean) : isShare(a) ? apartFrom(b, mean) : undefined
}

/** What is added to the old value of `to`. */
function addedTo(e: Expr, to: ArrayDecl): Expr | undefined {
  if (e.kind !== 'op' || e.op !== 'add') return undefined
  const [a, b] = e.args as [Expr, Expr], // a sum is of two
    old = read(to, [])
  return sameExpr(a, old) ? b : sameExpr(b, old) ? a : undefined
}

/** The x of `x − mean`. */
function apartFrom(e: Expr, mean: ArrayDecl): Expr | undefined {
  if (e.kind !== 'op' || e.op !== 'sub') return undefined
  const [x, m] = e.args
  return m && sameExpr(m, read(mean, [])) ? x : undefined
}

/** Whether the local gains (x − mean before) · (x − mean after). */
function isSquares(made: Values, squares: ArrayDecl, mean: ArrayDecl, value: Expr): boolean {
  const gained = addedTo(made.get(squares.name)!, squares) // it is made
  if (gained?.kind !== 'op' || gained.op !== 'mul') return false
  const before = op('sub', [value, read(mean, [])]),
    after = op('sub', [value, made.get(mean.name)!])
  const [a, b] = gained.args as [Expr, Expr] // a product is of two
  return (sameExpr(a, before) && sameExpr(b, after)) || (sameExpr(b, before) && sameExpr(a, after))
}
