// In: linear equalities and inequalities over integers. Out: whether they have an integer solution. The one idea: the
// Omega test (W. Pugh, "The Omega test", 1991): equalities are substituted away, variables are eliminated by
// Fourier–Motzkin, exactly where a coefficient is one, else with dark shadow and splinters. It finds no solution, it
// only decides; what exceeds its budget is `unknown`, never a guess.
import type { Affine } from './affine.ts'

/** `form ≥ 0`, or `form = 0` when `equal`. All names are unknown integers. */
export interface Constraint {
  readonly form: Affine
  readonly equal?: boolean
}

export type Answer = 'empty' | 'feasible' | 'unknown'

/** Coefficients by variable, the constant last. */
type Row = readonly number[]
interface System {
  readonly equal: readonly Row[]
  readonly atLeast: readonly Row[]
}

class Budget {
  left = 20_000
  /** Throws when used up or when numbers leave the range in which float64 is exact. */
  spend(n: number): void {
    if ((this.left -= n) < 0) throw new BudgetSpent()
  }
}
class BudgetSpent extends Error {}

/** An answer and the question it was given to, as `code`; `next`: another of the same hash. */
interface Answered {
  readonly code: readonly number[]
  readonly answer: Answer
  readonly next: Answered | undefined
}

/**
 * Answers by the hash of a question. Analyses of a program that is taken apart step by step ask most things several
 * times.
 */
const answers = new Map<number, Answered>()
/** Answers that are kept, so that memory stays bounded. */
const maxAnswers = 20_000
let answered = 0

/**
 * Decides whether all of `constraints` and of `more` hold for some integers. Where much is asked of one list
 * `constraints`, its part of the question is made once.
 */
export const feasible = (constraints: readonly Constraint[], more: readonly Constraint[] = []): Answer =>
  more.length === 0 ? answerTo(nothing, constraints) : answerTo(begun(constraints), more)

/**
 * Constraints as numbers, with a column for each of their variables. `code` is the same for constraints that differ in
 * the names of variables alone: of each constraint twice the number of its terms, one more for an equality, then column
 * and coefficient of each term, then the constant.
 */
interface Asked {
  readonly column: ReadonlyMap<string, number>
  readonly code: readonly number[]
  readonly hash: number
}

const nothing: Asked = { column: new Map(), code: [], hash: 0 }

/** The code of what was asked about last, as far as `tailLength`: most questions were answered before. */
const tail: number[] = []
let tailLength = 0
/** Columns of variables that only these have. */
const ownColumn = new Map<string, number>()

/** Fills `tail` and `ownColumn` for `more` after `before`; the hash of both together. */
function encode(before: Asked, more: readonly Constraint[]): number {
  const { column } = before
  ownColumn.clear()
  let n = 0
  for (const { form, equal } of more) {
    tail[n++] = 2 * form.terms.size + (equal === true ? 1 : 0)
    for (const [name, x] of form.terms) {
      let k = column.get(name) ?? ownColumn.get(name)
      if (k === undefined) ownColumn.set(name, (k = column.size + ownColumn.size))
      tail[n++] = k
      tail[n++] = x
    }
    tail[n++] = form.constant
  }
  tailLength = n
  let { hash } = before
  for (let i = 0; i < n; i++) hash = Math.imul(hash ^ tail[i]!, 0x01000193) ^ (hash >>> 15)
  return hash
}

/** The code of `before` and of what was encoded after it. */
const wholeCode = (before: Asked): readonly number[] => before.code.concat(tail.slice(0, tailLength))

/** What the last questions took as known. A list may have grown since. */
const knowns = new WeakMap<
  readonly Constraint[],
  { readonly constraints: readonly Constraint[]; readonly asked: Asked }
>()

function begun(known: readonly Constraint[]): Asked {
  const before = knowns.get(known)
  if (before && before.constraints.length === known.length && before.constraints.every((c, i) => c === known[i]))
    return before.asked
  const hash = encode(nothing, known),
    fresh = { column: new Map(ownColumn), code: wholeCode(nothing), hash }
  knowns.set(known, { constraints: known.slice(), asked: fresh })
  return fresh
}

function answerTo(before: Asked, more: readonly Constraint[]): Answer {
  const hash = encode(before, more),
    first = answers.get(hash)
  for (let known = first; known; known = known.next) if (isAsked(known.code, before)) return known.answer
  const code = wholeCode(before),
    answer = decided(systemOf(code, before.column.size + ownColumn.size)),
    full = answered >= maxAnswers
  if (full) answers.clear()
  answered = full ? 1 : answered + 1
  answers.set(hash, { code, answer, next: full ? undefined : first })
  return answer
}

/** Whether `code` is that of `before` and of what was encoded after it. */
function isAsked(code: readonly number[], before: Asked): boolean {
  const begins = before.code.length
  if (code.length !== begins + tailLength) return false
  for (let i = 0; i < tailLength; i++) if (code[begins + i] !== tail[i]) return false
  for (let i = 0; i < begins; i++) if (code[i] !== before.code[i]) return false
  return true
}

/** The rows of a question with so many variables. */
function systemOf(code: readonly number[], variables: number): System {
  const equal: Row[] = [],
    atLeast: Row[] = []
  for (let at = 0; at < code.length; ) {
    const head = code[at++]!,
      row = new Array<number>(variables + 1).fill(0)
    for (const end = at + 2 * (head >> 1); at < end; at += 2) row[code[at]!] = code[at + 1]!
    row[variables] = code[at++]!
    if (head % 2 === 1) equal.push(row)
    else atLeast.push(row)
  }
  return { equal, atLeast }
}

function decided(system: System): Answer {
  try {
    return solve(system, new Budget()) ? 'feasible' : 'empty'
  } catch (e) {
    if (e instanceof BudgetSpent) return 'unknown'
    throw e
  }
}

/** Whether `form ≥ 0` follows from `known`; false also when it cannot be decided. */
export function implies(known: readonly Constraint[], form: Affine): boolean {
  const terms = new Map([...form.terms].map(([n, c]) => [n, -c]))
  return feasible(known, [{ form: { constant: -form.constant - 1, terms } }]) === 'empty'
}

export function gcd(a: number, b: number): number {
  let x = Math.abs(a),
    y = Math.abs(b)
  while (y !== 0) [x, y] = [y, x % y]
  return x
}

/** The common factor of the coefficients. */
function content(row: Row): number {
  let g = 0
  for (let i = 0; i < row.length - 1 && g !== 1; i++) if (row[i] !== 0) g = gcd(g, row[i]!)
  return g
}
const last = (row: Row): number => row[row.length - 1]!

function combine(a: Row, fa: number, b: Row, fb: number, budget: Budget): Row {
  const row = new Array<number>(a.length)
  for (let i = 0; i < a.length; i++) {
    const x = fa * a[i]! + fb * b[i]!
    if (Math.abs(x) > 2 ** 45) throw new BudgetSpent()
    row[i] = x
  }
  budget.spend(1)
  return row
}

function solve(system: System, budget: Budget): boolean {
  const { equal, atLeast } = system
  const first = equal[0]
  if (!first) return solveInequalities(atLeast, budget)
  const g = content(first)
  if (g === 0) return last(first) === 0 && solve({ equal: equal.slice(1), atLeast }, budget)
  if (last(first) % g !== 0) return false
  return substituteEquality(
    first.map((x) => x / g),
    equal.slice(1),
    atLeast,
    budget,
  )
}

/** Removes the variable with the smallest coefficient from the others by `row = 0`. */
function substituteEquality(row: Row, equal: readonly Row[], atLeast: readonly Row[], budget: Budget): boolean {
  let k = -1
  for (let i = 0; i < row.length - 1; i++) if (row[i] !== 0 && (k < 0 || Math.abs(row[i]!) < Math.abs(row[k]!))) k = i
  const a = row[k]!,
    sign = Math.sign(a)
  if (Math.abs(a) === 1) {
    const replace = (r: Row): Row => (r[k] === 0 ? r : combine(r, 1, row, -r[k]! * sign, budget))
    return solve({ equal: equal.map(replace), atLeast: atLeast.map(replace) }, budget)
  }
  // x_k = −sign·m·σ + Σ sign·mod(a_i)·x_i + sign·mod(c): σ is a new last variable.
  const m = Math.abs(a) + 1
  const mod = (x: number): number => x - m * Math.floor(x / m + 0.5)
  const widen = (r: Row): Row => [...r.slice(0, -1), 0, last(r)]
  const value = [...row.slice(0, -1).map((x, i) => (i === k ? 0 : sign * mod(x))), -sign * m, sign * mod(last(row))]
  const replace = (r: Row): Row => {
    const wide = widen(r),
      factor = wide[k]!
    return factor === 0
      ? wide
      : combine(
          wide.map((x, i) => (i === k ? 0 : x)),
          1,
          value,
          factor,
          budget,
        )
  }
  return solve({ equal: [replace(row), ...equal.map(replace)], atLeast: atLeast.map(replace) }, budget)
}

/**
 * Coefficients without common factor and a constant, with hashes of the coefficients and of those of the opposite row.
 */
interface Tight {
  row: number[]
  readonly hash: number
  readonly mirror: number
}

/** Whether the coefficients of `a` are `sign` times those of `b`. */
function parallel(a: Row, b: Row, sign: 1 | -1): boolean {
  for (let i = 0; i < a.length - 1; i++) if (a[i] !== sign * b[i]!) return false
  return true
}

/** The row divided by `g`, its constant rounded down. */
function tightOf(row: Row, g: number): Tight {
  const n = row.length - 1,
    tight = new Array<number>(n + 1)
  let hash = 0,
    mirror = 0
  for (let i = 0; i < n; i++) {
    const x = row[i]! === 0 ? 0 : row[i]! / g
    tight[i] = x
    hash = Math.imul(hash, 0x01000193) ^ x
    mirror = Math.imul(mirror, 0x01000193) ^ -x
  }
  tight[n] = Math.floor(row[n]! / g)
  return { row: tight, hash, mirror }
}

/**
 * Divides by the common factor and keeps the tightest of parallel rows; null when two contradict; equalities found come
 * back apart.
 */
function tighten(rows: readonly Row[], budget: Budget): { rows: Row[]; equal: Row[] } | null {
  const best: Tight[] = []
  for (const row of rows) {
    const g = content(row)
    if (g === 0) {
      if (last(row) < 0) return null
      continue
    }
    const tight = tightOf(row, g),
      other = best.find((x) => x.hash === tight.hash && parallel(x.row, tight.row, 1))
    if (!other) best.push(tight)
    else if (last(tight.row) < last(other.row)) other.row = tight.row
  }
  budget.spend(best.length)
  const equal: Row[] = [],
    kept: Row[] = []
  for (const [i, { row, mirror }] of best.entries()) {
    const k = best.findIndex((x) => x.hash === mirror && parallel(x.row, row, -1)),
      other = best[k]?.row
    if (other && last(row) + last(other) < 0) return null
    if (!other || last(row) + last(other) > 0) kept.push(row)
    else if (i < k) equal.push(row)
  }
  return { rows: kept, equal }
}

interface Choice {
  readonly k: number
  readonly exact: boolean
}

function choose(rows: readonly Row[]): Choice | undefined {
  let best: Choice | undefined,
    bestCost = Infinity
  for (let k = 0; k < rows[0]!.length - 1; k++) {
    let lowers = 0,
      uppers = 0,
      plainLowers = true,
      plainUppers = true
    for (const row of rows) {
      const x = row[k]!
      if (x > 0) {
        lowers++
        plainLowers &&= x === 1
      }
      if (x < 0) {
        uppers++
        plainUppers &&= x === -1
      }
    }
    if (lowers + uppers === 0) continue
    const exact = plainLowers || plainUppers
    const cost = lowers * uppers - lowers - uppers + (exact || lowers * uppers === 0 ? 0 : 1e6)
    if (cost < bestCost) {
      best = { k, exact }
      bestCost = cost
    }
  }
  return best
}

function solveInequalities(all: readonly Row[], budget: Budget): boolean {
  const tight = tighten(all, budget)
  if (!tight) return false
  const { rows } = tight
  if (tight.equal.length > 0) return solve({ equal: tight.equal, atLeast: rows }, budget)
  if (rows.length === 0) return true
  const choice = choose(rows)
  if (!choice) return true
  const { k, exact } = choice
  const lowers = rows.filter((r) => r[k]! > 0),
    uppers = rows.filter((r) => r[k]! < 0),
    rest = rows.filter((r) => r[k] === 0)
  const shadow = (dark: boolean): Row[] =>
    lowers.flatMap((l) =>
      uppers.map((u) => {
        const b = l[k]!,
          a = -u[k]!
        const row = combine(l, a, u, b, budget)
        return dark ? [...row.slice(0, -1), last(row) - (a - 1) * (b - 1)] : row
      }),
    )
  if (exact || lowers.length === 0 || uppers.length === 0) return solveInequalities([...rest, ...shadow(false)], budget)
  if (!solveInequalities([...rest, ...shadow(false)], budget)) return false
  if (solveInequalities([...rest, ...shadow(true)], budget)) return true
  return splinters(k, lowers, uppers, rows, budget)
}

/** A solution outside the dark shadow lies close above some lower bound: try each of these planes. */
function splinters(
  k: number,
  lowers: readonly Row[],
  uppers: readonly Row[],
  rows: readonly Row[],
  budget: Budget,
): boolean {
  const a = Math.max(...uppers.map((u) => -u[k]!))
  for (const l of lowers) {
    const b = l[k]!
    for (let i = 0; i <= Math.floor((a * b - a - b) / a); i++) {
      if (solve({ equal: [[...l.slice(0, -1), last(l) - i]], atLeast: rows }, budget)) return true
    }
  }
  return false
}
