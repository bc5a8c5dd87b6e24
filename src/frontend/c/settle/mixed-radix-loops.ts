// In: a program some of whose loops walk over all elements of arrays (`k < n * m`) that elsewhere have rows, or take
// rows and columns from one counter (`k / m`, `k % m`). Out: such loops as one loop per digit, in the same order. The
// one idea: a counter in a mixed radix is loops around each other; its quotients and remainders by radices are digits,
// exactly.
import {
  contains,
  namesInKey,
  hasOnlySizes,
  isNeverNegative,
  notNegative,
  planValue,
  signedSizes,
  symbolsOf,
  toAffine,
  withConditions,
  sameExpr,
  add,
  divide,
  int,
  literal,
  loopVar,
  mapStmts,
  namesOf,
  mul,
  plusScaled,
  polynomialExpr,
  polynomialOf,
  replaceVariables,
  polynomialProduct,
  usedNames,
  mapBody,
  eachStmt,
  someExprIn,
  type Expr,
  type Loop,
  type LoopStmt,
  type Polynomial,
  type Program,
} from '../../../ir/index.ts'
import { plannedValues } from './size-identities.ts'

/** Strides of the digits of a counter, the largest first, the last 1. */
export type Radix = readonly Polynomial[]

/** Whether conditions may be asked of sizes, where they hold at the planned ones. */
export type How = 'assume' | 'prove'

/**
 * `p` with each loop as digits of `radix`, or of some that follow each other there, that it allows (a loop over all
 * pixels of a channel, one over all channels of all images); the same object where there is none.
 */
export function withDigits(p: Program, radix: Radix, how: How): Program {
  // digits of loops inside have other names in one place than in another
  const inOrder = new Set<string>(),
    apart = new Set<string>()
  eachStmt(p.body, (s) => {
    if (s.kind === 'loop') (carries(s) ? inOrder : apart).add(s.name)
  })
  const isApart = (l: Loop): boolean => (apart.has(l.name) && !inOrder.has(l.name)) || !carries(l)
  return partsOf(radix).reduce((made, part) => withAllDigits(made, part, how, isApart), p)
}

/** Digits that follow each other, in units of the last of them: all of them first. */
const partsOf = (radix: Radix): readonly Radix[] =>
  radix.flatMap((_, n) => {
    const end = radix.length - 1 - n,
      unit = radix[end]!
    return radix.slice(0, end).flatMap((_stride, start): readonly Radix[] => {
      const part = radix.slice(start, end + 1).map((stride) => exact(stride, unit))
      return part.every((stride) => stride !== undefined) ? [part] : []
    })
  })

/**
 * Each loop with all digits of `radix`. Two negative extents have a product that is none, so that each digit's is at
 * least 0, or asked to be.
 */
function withAllDigits(p: Program, radix: Radix, how: How, isApart: (l: Loop) => boolean): Program {
  const taken = new Set([...usedNames(p), ...namesOf(p)]),
    extents = radix.slice(1).map((s, d) => exact(radix[d]!, s))
  if (!extents.every((e) => e !== undefined)) return p
  const asked = conditionsFor(p, extents)
  if (!asked || (how === 'prove' && asked.length > 0)) return p
  const body = mapBody(p.body, (s) => {
    const split = s.kind === 'loop' && isApart(s) ? inDigits(s, radix, extents, taken) : undefined
    return split && [split]
  })
  return body === p.body ? p : withConditions({ ...p, body }, asked)
}

/** What makes the extents at least 0, as they are at the planned sizes; undefined where that cannot be asked. */
function conditionsFor(p: Program, extents: readonly Polynomial[]): readonly Expr[] | undefined {
  const signed = signedSizes(symbolsOf(p)),
    open = extents.filter((e) => !isNeverNegative(e, signed, new Set())).map(toAffine)
  if (!open.every((form) => form !== undefined && hasOnlySizes(form))) return undefined
  const asked = open.map((form) => notNegative(form!)), // all are forms
    planned = plannedValues(p)
  return asked.every((e) => planValue(e, planned) !== 0) ? asked : undefined
}

/**
 * Radices by which loops are taken apart in `p`, symbolic: of each loop's quotients and remainders (`r / k % k`, and
 * `r / k / k`) the strides that divide each other, and each of them alone.
 */
export function radicesOf(p: Program): readonly Radix[] {
  const strides = new Map<string, Map<string, Polynomial>>(),
    names = new Set<string>()
  mapStmts(
    p.body,
    (e) => {
      for (const [name, stride] of digitStrides(e)) {
        const key = JSON.stringify([...stride].sort())
        strides.set(name, (strides.get(name) ?? new Map<string, Polynomial>()).set(key, stride))
      }
      return e
    },
    (s) => {
      if (s.kind === 'loop') names.add(s.name)
      return [s]
    },
  )
  const isOfSizes = (stride: Polynomial): boolean =>
    [...stride.keys()].every((key) => namesInKey(key).every((n) => !names.has(n)))
  return [...strides.values()].flatMap((found) => {
    const own = [...found.values()].filter(isOfSizes),
      chain = dividing(own)
    return [...(chain.length > 1 ? [[...chain, one]] : []), ...own.map((by): Radix => [by, one])]
  })
}

/** The strides of the digits that a quotient or remainder of one variable shows, by the variable. */
function digitStrides(e: Expr): readonly (readonly [string, Polynomial])[] {
  if (e.kind !== 'op' || e.type !== 'i32' || (e.op !== 'div' && e.op !== 'rem')) return []
  const from = quotientOf(e.args[0]!),
    by = polynomialOf(e.args[1]!)
  if (!from || !by || isNumber(by)) return []
  return [[from.name, polynomialProduct(from.by, by)]]
}

/** The variable that `e` is, or a quotient of, and what it is divided by. */
function quotientOf(e: Expr): { readonly name: string; readonly by: Polynomial } | undefined {
  if (e.kind === 'var') return { name: e.name, by: one }
  if (e.kind !== 'op' || e.type !== 'i32' || e.op !== 'div') return undefined
  const from = quotientOf(e.args[0]!),
    by = polynomialOf(e.args[1]!)
  return from && by && by.size > 0 ? { name: from.name, by: polynomialProduct(from.by, by) } : undefined
}

const isNumber = (p: Polynomial): boolean => [...p.keys()].every((key) => key === '')

/** Of the strides, the largest first, those of which each divides the one before. */
function dividing(strides: readonly Polynomial[]): readonly Polynomial[] {
  const chain: Polynomial[] = []
  for (const s of [...strides].sort((a, b) => degreeOf(b) - degreeOf(a)))
    if (chain.length === 0 || exact(chain[chain.length - 1]!, s)) chain.push(s)
  return chain
}

/** How many factors the longest product in a stride has. */
const degreeOf = (stride: Polynomial): number => Math.max(...[...stride.keys()].map((key) => namesInKey(key).length))

const one: Polynomial = new Map([['', 1]])

function exact(p: Polynomial, by: Polynomial): Polynomial | undefined {
  const { quotient, remainder } = divide(p, by)
  return remainder.size === 0 ? quotient : undefined
}

/** The loop as loops over the digits of its variable; undefined where it is one row, or its ends are no whole rows. */
function inDigits(l: Loop, radix: Radix, extents: readonly Polynomial[], taken: Set<string>): Loop | undefined {
  const lower = polynomialOf(l.lower),
    upper = polynomialOf(l.upper)
  const first = lower && exact(lower, radix[0]!),
    last = upper && exact(upper, radix[0]!)
  if (l.step !== 1 || !first || !last || same(plusScaled(last, first, -1), one)) return undefined
  const named = radix.map((_, d): string => {
    let name = `${l.name}_${d}`
    while (taken.has(name)) name += '_'
    taken.add(name)
    return name
  })
  const digits: readonly Digit[] = named.map((name, d) => ({
    name,
    stride: radix[d]!,
    extent: d === 0 ? undefined : extents[d - 1]!,
  }))
  const by = new Map([[l.name, digits.map((g) => mul(loopVar(g.name), polynomialExpr(g.stride))).reduce(add)]])
  const body = mapStmts(l.body, (e) => (e.kind === 'var' ? replaceVariables(e, by) : digitOf(e, digits)))
  return digits.reduceRight<readonly LoopStmt[]>(
    (inner, g) => [
      {
        ...l,
        name: g.name,
        lower: g.extent ? int(0) : polynomialExpr(first),
        upper: polynomialExpr(g.extent ?? last),
        body: inner,
      },
    ],
    body,
  )[0] as Loop // one for each digit
}

interface Digit {
  readonly name: string
  readonly stride: Polynomial
  /** Values that it has, from 0; undefined for the first. */
  readonly extent: Polynomial | undefined
}

/** A quotient or remainder of a sum of digits as a sum of digits, where the digits tell. */
function digitOf(e: Expr, digits: readonly Digit[]): Expr {
  if (e.kind !== 'op' || e.type !== 'i32' || (e.op !== 'div' && e.op !== 'rem') || literal(e.args[1]!) !== undefined)
    return e
  const x = polynomialOf(e.args[0]!),
    by = polynomialOf(e.args[1]!)
  if (!x || !by) return e
  let rest: Polynomial = x,
    quotient: Polynomial = new Map()
  const below: { readonly digit: Digit; readonly stride: Polynomial }[] = []
  for (const digit of digits) {
    const own = [...x].filter(([key]) => key.split('*').includes(digit.name)),
      stride: Polynomial = new Map(
        own.map(([key, c]) => [
          key
            .split('*')
            .filter((n) => n !== digit.name)
            .join('*'),
          c,
        ]),
      )
    if (own.length === 0) continue
    const whole = exact(stride, by)
    rest = plusScaled(rest, new Map(own), -1)
    if (whole && whole.size > 0)
      quotient = plusScaled(quotient, polynomialProduct(whole, new Map([[digit.name, 1]])), 1)
    else below.push({ digit, stride })
  }
  // What is left is smaller than the divisor: its digits follow each other, the first ends where the divisor begins.
  const ends = below.map(({ digit, stride }) => (digit.extent ? polynomialProduct(stride, digit.extent) : undefined))
  const fits =
    below.every((_, i) => ends[i] !== undefined && same(ends[i]!, i === 0 ? by : below[i - 1]!.stride)) &&
    (below.length === 0 || same(below[below.length - 1]!.stride, one))
  if (rest.size > 0 || !fits) return e
  return e.op === 'div'
    ? polynomialExpr(quotient)
    : below.map(({ digit, stride }) => mul(loopVar(digit.name), polynomialExpr(stride))).reduce(add, int(0))
}

const same = (a: Polynomial, b: Polynomial): boolean => plusScaled(a, b, -1).size === 0

/** Whether an iteration of `l` may read what an earlier one wrote other than to add to it. */
function carries(l: Loop): boolean {
  const own = new Set<string>(),
    written = new Map<string, readonly Expr[]>()
  eachStmt(l.body, (s) => {
    if (s.kind === 'declare') own.add(s.array.name)
    if (s.kind === 'store') written.set(s.array, s.index)
  })
  return someExprIn(l.body, (e) => {
    const index = e.kind === 'read' && !own.has(e.array) ? written.get(e.array) : undefined
    return (
      index !== undefined &&
      e.kind === 'read' &&
      (!index.every((x, d) => sameExpr(x, e.index[d]!)) || !index.some((x) => contains(x, loopVar(l.name))))
    )
  })
}
