// In: subscripts that divide a loop variable p by a length h (`p / h`, `p % h`), or are guarded by `p % w == 0`;
// lengths do not change in the loop. Out: whether two such subscripts can be equal in different iterations. The one
// idea is mixed-radix digits: m q h + r + c h with 0 ≤ r < h determines q and r for any h > 0. Two such places with |c
// − c'| < m are therefore equal only if q and r are equal.
import { literal, printExpr, type Access, type Expr } from '../ir/index.ts'

/**
 * Σ factor × atom: '' is 1, `quotient` and `remainder` are those of p, `quotient×A` is q A, all else what the loop does
 * not change.
 */
type Sum = ReadonlyMap<string, number>
const quotient = '@q',
  remainder = '@r',
  ofQuotient = `${quotient}×`

/** Atoms that are another one divided by a number, as one question finds them. */
type Halves = Map<string, { readonly of: string; readonly by: number }>

/** Whether accesses at `x` and `y` of one dimension never meet in different iterations of `p`. */
export function byLengths(
  a: Access,
  b: Access,
  x: Expr,
  y: Expr,
  p: string,
  fixedIn: (e: Expr) => boolean,
  together: (e: Expr) => readonly Expr[],
): boolean {
  const halves: Halves = new Map(),
    sum = (e: Expr, length: Expr | undefined, divides: boolean): Sum | undefined =>
      sumOf(e, p, fixedIn, length, divides, halves)
  const h = divisorOf(x, p, fixedIn) ?? divisorOf(y, p, fixedIn)
  if (h) return apart(sum(x, h, true), sum(y, h, true), h, 1, halves)
  const [w] = a.holding
    .flatMap(together)
    .flatMap((g) => stepOf(g, p, fixedIn) ?? [])
    .filter((e) =>
      b.holding.flatMap(together).some((g) => {
        const f = stepOf(g, p, fixedIn)
        return f && printExpr(f) === printExpr(e)
      }),
    )
  return apart(sum(x, w, false), sum(y, w, false), undefined, 0, halves)
}

/** Both steps of q are k A for the same A, both have as much of r, and they differ by fewer lengths than a step has. */
function apart(a: Sum | undefined, b: Sum | undefined, h: Expr | undefined, rest: number, halves: Halves): boolean {
  if (!a || !b || [a, b].some((s) => (s.get(remainder) ?? 0) !== rest || s.has(quotient))) return false
  const steps = [a, b].map((s) => [...s].filter(([k]) => k.startsWith(ofQuotient))),
    [[one], [other]] = steps as [[string, number][], [string, number][]] // two
  if (!one || !other || steps.some((s) => s.length !== 1) || one[0] !== other[0] || one[1] !== other[1] || one[1] < 1)
    return false
  const [key, k] = one,
    whole = key.slice(ofQuotient.length),
    difference = [...less(a, b)]
  if (difference.length > 1) return false
  const [atom, c] = difference[0] ?? ['', 0],
    length = h ? unitOf(h, halves) : { atom: c === 0 ? whole : atom, factor: 1 }
  const fits = length && lengthsIn(whole, k, length.atom, halves) / length.factor
  if (!fits || fits < 1) return false
  return (
    c === 0 || (atom === length.atom && Number.isInteger(c / length.factor) && Math.abs(c / length.factor) + 1 <= fits)
  )
}

/** What `whole`, k times, has at least of `part`: halves of it, and halves of these, are atoms of their own. */
const lengthsIn = (whole: string, k: number, part: string, halves: Halves): number => {
  const found = halves.get(part)
  return whole === part ? k : found ? lengthsIn(whole, k, found.of, halves) * found.by : 0
}

/** factor × atom. */
function unitOf(e: Expr, halves: Halves): { readonly atom: string; readonly factor: number } | undefined {
  const all = [...fixedSum(e, halves)],
    [only] = all
  return all.length === 1 && only && only[0] !== '' && only[1] >= 1 ? { atom: only[0], factor: only[1] } : undefined
}

/** The h by which p is divided first. */
function divisorOf(e: Expr, p: string, fixedIn: (e: Expr) => boolean): Expr | undefined {
  if (e.kind !== 'op') return undefined
  const [x, y] = e.args
  if (
    (e.op === 'div' || e.op === 'rem') &&
    x?.kind === 'var' &&
    x.name === p &&
    y &&
    fixedIn(y) &&
    isLength(y) &&
    literal(y) === undefined
  )
    return y
  for (const z of e.args) {
    const found = divisorOf(z, p, fixedIn)
    if (found) return found
  }
  return undefined
}

/** w where `g` says p % w == 0. */
function stepOf(g: Expr, p: string, fixedIn: (e: Expr) => boolean): Expr | undefined {
  const rest = g.kind === 'op' && g.op === 'eq' && literal(g.args[1]!) === 0 ? g.args[0]! : undefined // two arguments
  if (rest?.kind !== 'op' || rest.op !== 'rem' || rest.args[0]!.kind !== 'var' || rest.args[0]!.name !== p)
    return undefined
  const w = rest.args[1]! // as above
  return fixedIn(w) && isLength(w) && literal(w) === undefined ? w : undefined
}

/** Never negative: a size, a sum of such, or a part of one. */
export function isLength(e: Expr): boolean {
  if (e.kind === 'size') return true
  const n = literal(e)
  if (n !== undefined) return n > 0
  if (e.kind !== 'op' || e.type !== 'i32') return false
  const [x, y] = e.args as readonly [Expr, Expr] // those below have two
  switch (e.op) {
    case 'shr':
      return isLength(x)
    case 'div':
      return isLength(x) && (literal(y) ?? 0) > 0
    case 'shl':
      return isLength(x) && literal(y) !== undefined
    case 'add':
    case 'mul':
      return isLength(x) && isLength(y)
    default:
      return false
  }
}

/** 2^k << t. */
const isPower = (e: Expr): boolean =>
  // a shift has two arguments
  e.kind === 'op' && e.op === 'shl' && Number.isInteger(Math.log2(literal(e.args[0]!) ?? 0))

const less = (a: Sum, b: Sum): Sum => {
  const out = new Map(a)
  b.forEach((n, k) => {
    const left = (out.get(k) ?? 0) - n
    if (left === 0) out.delete(k)
    else out.set(k, left)
  })
  return out
}
const scaled = (a: Sum, by: number): Sum => new Map(by === 0 ? [] : [...a].map(([k, n]) => [k, n * by]))
const plus = (a: Sum, b: Sum): Sum => less(a, scaled(b, -1))

/** A number that the loop does not change; notes its `halves`. */
function fixedSum(e: Expr, halves: Halves): Sum {
  const of = (x: Expr): Sum => fixedSum(x, halves)
  const n = literal(e)
  if (n !== undefined) return new Map(n === 0 ? [] : [['', n]])
  if (e.kind === 'op' && e.type === 'i32' && e.args.length === 2) {
    const [x, y] = e.args as readonly [Expr, Expr],
      by = literal(y) // two
    if (e.op === 'add') return plus(of(x), of(y))
    if (e.op === 'sub') return less(of(x), of(y))
    if (e.op === 'mul' && by !== undefined) return scaled(of(x), by)
    if (e.op === 'mul' && literal(x) !== undefined) return scaled(of(y), literal(x)!) // just asked
    if (e.op === 'shl' && by !== undefined && by >= 0 && by < 31) return scaled(of(x), 2 ** by)
    const parts = e.op === 'div' ? by : e.op === 'shr' && by !== undefined && by >= 0 && by < 31 ? 2 ** by : undefined,
      unit = parts && parts > 1 && isLength(x) ? unitOf(x, halves) : undefined
    if (unit && parts) halves.set(printExpr(e), { of: unit.atom, by: parts / unit.factor })
  }
  return new Map([[printExpr(e), 1]])
}

/**
 * A subscript over q and r of h (`divides`), or over q alone where p = q h, or where p is q and its factors are powers
 * of two, which are not 0; `undefined` where it is none.
 */
function sumOf(
  e: Expr,
  p: string,
  fixedIn: (e: Expr) => boolean,
  h: Expr | undefined,
  divides: boolean,
  halves: Halves,
): Sum | undefined {
  const go = (x: Expr): Sum | undefined => sumOf(x, p, fixedIn, h, divides, halves)
  if (fixedIn(e)) return fixedSum(e, halves)
  const times = (x: Sum | undefined, y: Expr): Sum | undefined => {
    const n = literal(y)
    if (!x || n !== undefined) return x && scaled(x, n!) // just asked
    const q = x.get(quotient) ?? 0,
      others = new Map([...x].filter(([k]) => k !== quotient)),
      constant = others.get('') ?? 0
    if (!fixedIn(y) || q === 0 || others.size > (others.has('') ? 1 : 0) || (!h && !isPower(y))) return undefined
    return plus(
      new Map([...scaled(fixedSum(y, halves), q)].map(([k, v]) => [k === '' ? quotient : ofQuotient + k, v])),
      scaled(fixedSum(y, halves), constant),
    )
  }
  const one: Sum = new Map([[quotient, 1]])
  if (e.kind === 'var') {
    const start = e.name !== p ? undefined : h ? times(one, h) : one
    return start && divides ? plus(start, new Map([[remainder, 1]])) : start
  }
  if (e.kind !== 'op' || e.type !== 'i32' || e.args.length !== 2) return undefined
  const [x, y] = e.args as readonly [Expr, Expr] // two
  if (e.op === 'add' || e.op === 'sub') {
    const [a, b] = [go(x), go(y)]
    return a && b && (e.op === 'add' ? plus(a, b) : less(a, b))
  }
  if (e.op === 'mul') return fixedIn(y) ? times(go(x), y) : fixedIn(x) ? times(go(y), x) : undefined
  if (e.op === 'shl') {
    const n = literal(y),
      a = go(x)
    return a && n !== undefined && n >= 0 && n < 31 ? scaled(a, 2 ** n) : undefined
  }
  const digit =
    divides &&
    (e.op === 'div' || e.op === 'rem') &&
    x.kind === 'var' &&
    x.name === p &&
    h &&
    printExpr(y) === printExpr(h)
  return digit ? new Map([[e.op === 'div' ? quotient : remainder, 1]]) : undefined
}

/** At least how often `part` goes into `whole`, of lengths; 0 where nothing is known. */
export function timesIn(whole: Expr, part: Expr): number {
  const halves: Halves = new Map(),
    w = isLength(whole) && isLength(part) ? [unitOf(whole, halves), unitOf(part, halves)] : []
  return w[0] && w[1] ? lengthsIn(w[0].atom, w[0].factor, w[1].atom, halves) / w[1].factor : 0
}
