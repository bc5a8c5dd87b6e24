// Polynomials of sizes as expressions: where terms would cancel, a product of sums.
import { expect, test } from 'vitest'
import { add, int, mul, planValue, polynomialExpr, polynomialOf, printExpr, sizeOf, sub } from '../../src/ir/index.ts'
import type { Expr } from '../../src/ir/index.ts'

const [c, h, w, k, s] = ['c', 'h', 'w', 'k', 's'].map(sizeOf) as [Expr, Expr, Expr, Expr, Expr]
const along = (n: Expr): Expr => add(mul(sub(n, int(1)), s), k)

const written = (e: Expr): string => printExpr(polynomialExpr(polynomialOf(e)!)) // they are polynomials

test('an extent that steps and windows reach', () => {
  expect(written(mul(mul(c, along(h)), along(w)))).toBe('c * (s * w + k + s * -1) * (h * s + k + s * -1)')
  expect(written(add(mul(along(h), along(w)), int(7)))).toBe('(s * w + k + s * -1) * (h * s + k + s * -1) + 7')
})

test('sums whose terms do not cancel, or that are no products, stay sums', () => {
  expect(written(mul(add(c, k), add(h, w)))).toBe('c * h + c * w + h * k + k * w')
  expect(written(sub(mul(mul(c, h), w), mul(mul(k, k), k)))).toBe('c * h * w + k * -1 * k * k')
})

test('such an extent is exact where its terms leave the numbers of a double', () => {
  const sizes = { c: 1, h: 1, w: 1, k: 1, s: 2147477497 }
  const extent = polynomialExpr(polynomialOf(mul(mul(c, along(h)), along(w)))!) // it is one
  expect(planValue(extent, { sizes, scalars: {} })).toBe(1)
})
