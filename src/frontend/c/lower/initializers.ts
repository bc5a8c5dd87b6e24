// In: a list of initial values in braces and the extents of its array. Out: the values in the order of memory, and for
// constants one expression over subscripts. The one idea: C lets inner braces be left out, and what a list leaves out
// is 0.
import { fail } from '../../../base/index.ts'
import { int, literal, loopVar, op, type Expr } from '../../../ir/index.ts'
import type { CExpr } from '../text/syntax.ts'

/** Longest list of initial values that is written out. */
export const largestList = 4096
/** Values that a list inside of loops writes one by one, so that they can stay in registers. */
export const largestUnrolled = 16

type List = Extract<CExpr, { kind: 'list' }>

/** The list's elements, row by row; `undefined` where it gives none. Throws where it gives too many. */
export function rowMajorElements(list: List, extents: readonly number[], name: string): readonly (CExpr | undefined)[] {
  const out: (CExpr | undefined)[] = []
  const left = fill(list.items, extents, out)
  if (left.length > allowedLeft(list))
    fail(
      'c.declaration',
      `the list of ${name} has more values than its ${extents.reduce((a, b) => a * b, 1)} elements`,
      left[0]!.at,
    )
  return out
}

/** Items of a list that an array may have no room for: the 0 behind a string. */
const allowedLeft = (list: List): number => (list.isText ? 1 : 0)

/** Appends an array of `extents` from the front of `items`; what is left of them. */
function fill(items: readonly CExpr[], extents: readonly number[], out: (CExpr | undefined)[]): readonly CExpr[] {
  const [n, ...rest] = extents
  if (n === undefined) {
    const [first, ...others] = items
    if (first?.kind === 'list') return [...filledWhole(first, [], out), ...others]
    out.push(first)
    return others
  }
  let left = items
  for (let i = 0; i < n; i++) {
    const [first, ...others] = left
    left =
      rest.length > 0 && first?.kind === 'list' ? [...filledWhole(first, rest, out), ...others] : fill(left, rest, out)
  }
  return left
}

/** A list in braces of its own fills its part of the array, and nothing of it may be left. */
function filledWhole(list: List, extents: readonly number[], out: (CExpr | undefined)[]): readonly CExpr[] {
  const left = fill(list.items, extents, out)
  return left.length > allowedLeft(list)
    ? fail(
        'c.declaration',
        `these braces hold more values than the ${extents.reduce((a, b) => a * b, 1)} that belong there`,
        left[0]!.at,
      )
    : []
}

/** How long `char text[] = "…"` is and similar: the first extent of an array whose list says it. */
export function firstExtent(list: List, inner: readonly (number | undefined)[]): number {
  const row = inner.reduce<number>((n, e) => n * (e ?? 1), 1)
  return list.items.some((x) => x.kind === 'list') || inner.length === 0
    ? list.items.length
    : Math.ceil(list.items.length / row)
}

/**
 * Constants of an array of `extents`, chosen by the subscripts `names`: `a[i] = i < 2 ? (i < 1 ? x : y) : z`. Ranges of
 * equal constants are one.
 */
export function chosen(values: readonly Expr[], extents: readonly number[], names: readonly string[]): Expr {
  const [n, ...rest] = extents,
    [name, ...inner] = names,
    first = values[0]! // an array has an element at least
  if (n === undefined || name === undefined || values.every((v) => sameConstant(v, first))) return first
  const row = values.length / n
  const between = (low: number, high: number): Expr => {
    const part = values.slice(low * row, high * row)
    if (high - low === 1) return chosen(part, rest, inner)
    if (rest.length === 0 && part.every((v) => sameConstant(v, part[0]!))) return part[0]!
    const middle = (low + high) >> 1
    return op('select', [op('lt', [loopVar(name), int(middle)]), between(low, middle), between(middle, high)])
  }
  return between(0, n)
}

const sameConstant = (a: Expr, b: Expr): boolean =>
  a.kind === 'const' && b.kind === 'const' && Object.is(a.value, b.value)

/** Whether it is a constant: a literal, folded or not. */
export const isConstant = (e: Expr): boolean => e.kind === 'const' || literal(e) !== undefined

/** The subscripts of the `n`th element in the order of memory. */
export function subscriptsOf(n: number, extents: readonly number[]): readonly number[] {
  let left = n
  return [...extents]
    .reverse()
    .map((e) => {
      const digit = left % e
      left = Math.floor(left / e)
      return digit
    })
    .reverse()
}
