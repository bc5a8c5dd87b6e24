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
  spend(n: number): void { if ((this.left -= n) < 0) throw new BudgetSpent() }
}
class BudgetSpent extends Error {}

/** Answers by the rows of a system. Analyses of a program that is taken apart step by step ask most things several times. */
const answers = new Map<string, Answer>()
const maxAnswers = 20_000

/** Decides whether all `constraints` hold for some integers. */
export const feasible = (constraints: readonly Constraint[]): Answer => answerTo(asked(constraints))

/** Constraints with a column for each of their variables, and a text that no others have but under other names. */
interface Asked { readonly constraints: readonly Constraint[]; readonly column: ReadonlyMap<string, number>; readonly key: string }

const nothing: Asked = { constraints: [], column: new Map(), key: '' }

function asked(more: readonly Constraint[], before: Asked = nothing): Asked {
  const column = new Map(before.column)
  let key = before.key
  for (const { form, equal } of more) {
    key += equal ? '=' : '≥'
    for (const [name, x] of form.terms) {
      if (!column.has(name)) column.set(name, column.size)
      key += `${column.get(name)!}*${x} `
    }
    key += form.constant
  }
  return { constraints: [...before.constraints, ...more], column, key }
}

function answerTo({ constraints, column, key }: Asked): Answer {
  const known = answers.get(key)
  if (known) return known
  if (answers.size >= maxAnswers) answers.clear()
  const rows = (equal: boolean): readonly Row[] => constraints.filter((c) => (c.equal === true) === equal).map(({ form }) => rowOf(form, column))
  const answer = decided({ equal: rows(true), atLeast: rows(false) })
  answers.set(key, answer)
  return answer
}

function rowOf({ terms, constant }: Affine, column: ReadonlyMap<string, number>): Row {
  const row = new Array<number>(column.size + 1).fill(0)
  for (const [name, x] of terms) row[column.get(name)!] = x // every name has one
  row[column.size] = constant
  return row
}

function decided(system: System): Answer {
  try {
    return solve(system, new Budget()) ? 'feasible' : 'empty'
  } catch (e) {
    if (e instanceof BudgetSpent) return 'unknown'
    throw e
  }
}

/** What the last questions of `implies` took as known: much is asked of one domain. */
const knowns = new WeakMap<readonly Constraint[], Asked>()

/** Whether `form ≥ 0` follows from `known`; false also when it cannot be decided. */
export function implies(known: readonly Constraint[], form: Affine): boolean {
  const before = knowns.get(known), begun = before && isOf(before, known) ? before : asked(known)
  if (begun !== before) knowns.set(known, begun)
  const terms = new Map([...form.terms].map(([n, c]) => [n, -c]))
  return answerTo(asked([{ form: { constant: -form.constant - 1, terms } }], begun)) === 'empty'
}

/** A list may have grown since. */
const isOf = ({ constraints }: Asked, list: readonly Constraint[]): boolean => constraints.length === list.length && constraints.every((c, i) => c === list[i])

export function gcd(a: number, b: number): number {
  let x = Math.abs(a), y = Math.abs(b)
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
  const row = a.map((x, i) => fa * x + fb * b[i]!)
  if (row.some((x) => Math.abs(x) > 2 ** 45)) throw new BudgetSpent()
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
  return substituteEquality(first.map((x) => x / g), equal.slice(1), atLeast, budget)
}

/** Removes the variable with the smallest coefficient from the others by `row = 0`. */
function substituteEquality(row: Row, equal: readonly Row[], atLeast: readonly Row[], budget: Budget): boolean {
  let k = -1
  for (let i = 0; i < row.length - 1; i++) if (row[i] !== 0 && (k < 0 || Math.abs(row[i]!) < Math.abs(row[k]!))) k = i
  const a = row[k]!, sign = Math.sign(a)
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
    const wide = widen(r), factor = wide[k]!
    return factor === 0 ? wide : combine(wide.map((x, i) => (i === k ? 0 : x)), 1, value, factor, budget)
  }
  return solve({ equal: [replace(row), ...equal.map(replace)], atLeast: atLeast.map(replace) }, budget)
}

/** Divides by the common factor and keeps the tightest of parallel rows; null when two contradict; equalities found come back apart. */
function tighten(rows: readonly Row[], budget: Budget): { rows: Row[]; equal: Row[] } | null {
  const best = new Map<string, { row: Row; readonly mirror: string }>()
  for (const row of rows) {
    const g = content(row)
    if (g === 0) { if (last(row) < 0) return null; continue }
    const n = row.length - 1, tight = new Array<number>(n + 1)
    let key = '', mirror = ''
    for (let i = 0; i < n; i++) {
      const x = row[i]! === 0 ? 0 : row[i]! / g
      tight[i] = x
      key += `${x},`
      mirror += `${x === 0 ? 0 : -x},`
    }
    tight[n] = Math.floor(row[n]! / g)
    const other = best.get(key)
    if (!other) best.set(key, { row: tight, mirror })
    else if (tight[n]! < last(other.row)) other.row = tight
  }
  budget.spend(best.size)
  const equal: Row[] = [], kept: Row[] = []
  for (const [key, { row, mirror }] of best) {
    const other = best.get(mirror)?.row
    if (other && last(row) + last(other) < 0) return null
    if (!other || last(row) + last(other) > 0) kept.push(row)
    else if (key < mirror) equal.push(row)
  }
  return { rows: kept, equal }
}

interface Choice { readonly k: number; readonly lowers: readonly Row[]; readonly uppers: readonly Row[]; readonly exact: boolean }

function choose(rows: readonly Row[]): Choice | undefined {
  let best: Choice | undefined, bestCost = Infinity
  for (let k = 0; k < rows[0]!.length - 1; k++) {
    const lowers = rows.filter((r) => r[k]! > 0), uppers = rows.filter((r) => r[k]! < 0)
    if (lowers.length + uppers.length === 0) continue
    const exact = lowers.every((r) => r[k] === 1) || uppers.every((r) => r[k] === -1)
    const cost = lowers.length * uppers.length - lowers.length - uppers.length + (exact || lowers.length * uppers.length === 0 ? 0 : 1e6)
    if (cost < bestCost) { best = { k, lowers, uppers, exact }; bestCost = cost }
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
  const { k, lowers, uppers, exact } = choice
  const rest = rows.filter((r) => r[k] === 0)
  const shadow = (dark: boolean): Row[] => lowers.flatMap((l) => uppers.map((u) => {
    const b = l[k]!, a = -u[k]!
    const row = combine(l, a, u, b, budget)
    return dark ? [...row.slice(0, -1), last(row) - (a - 1) * (b - 1)] : row
  }))
  if (exact || lowers.length === 0 || uppers.length === 0) return solveInequalities([...rest, ...shadow(false)], budget)
  if (!solveInequalities([...rest, ...shadow(false)], budget)) return false
  if (solveInequalities([...rest, ...shadow(true)], budget)) return true
  return splinters(k, lowers, uppers, rows, budget)
}

/** A solution outside the dark shadow lies close above some lower bound: try each of these planes. */
function splinters(k: number, lowers: readonly Row[], uppers: readonly Row[], rows: readonly Row[], budget: Budget): boolean {
  const a = Math.max(...uppers.map((u) => -u[k]!))
  for (const l of lowers) {
    const b = l[k]!
    for (let i = 0; i <= Math.floor((a * b - a - b) / a); i++) {
      if (solve({ equal: [[...l.slice(0, -1), last(l) - i]], atLeast: rows }, budget)) return true
    }
  }
  return false
}
