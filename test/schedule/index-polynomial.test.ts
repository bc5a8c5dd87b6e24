// Index expressions as polynomials have the values of the expressions: quotients and remainders by numbers are split
// where variables are never negative, and are C's where they may be.
import { describe, expect, test } from 'vitest'
import { random, type Random } from '../../src/base/index.ts'
import { add, int, loopVar, mul, op, sizeOf, sub, type Expr } from '../../src/ir/index.ts'
import { evaluateIndex } from '../analysis/brute.ts'
import { polyKey, polyLiteral, polyOf, type Atom, type Poly } from '../../src/schedule/lower/index-polynomial.ts'

type Values = Readonly<Record<string, number>>
const naturals = ['i', 'j'],
  others = ['p', 'q']
const env = {
  literalOf: () => undefined,
  keyOf: () => 'none',
  mostOf: (n: string) => ({ i: Infinity, j: 7 })[n],
  multipleOf: (n: string) => (n === 'm' ? 16 : 1),
  leastOf: (n: string) => ({ n: 0, m: 16, k: 1 })[n] ?? -9,
}

const valueOf = (p: Poly, at: Values): number =>
  [...p.values()].reduce((sum, m) => sum + m.atoms.reduce((x, a) => x * atomOf(a, at), m.coefficient), 0)

function atomOf(a: Atom, at: Values): number {
  switch (a.kind) {
    case 'var':
    case 'size':
      return at[a.name]!
    case 'quotient':
      return Math.trunc(valueOf(a.of, at) / valueOf(a.by, at))
    case 'remainder':
      return valueOf(a.of, at) % valueOf(a.by, at)
    case 'min':
    case 'max':
      return Math[a.kind](valueOf(a.a, at), valueOf(a.b, at))
    default:
      throw new Error(a.kind)
  }
}

const pick = <T>(r: Random, list: readonly T[]): T => list[r.int(0, list.length - 1)]!

function anIndex(r: Random, variables: readonly string[], depth: number): Expr {
  const divisor = (): Expr =>
    pick(r, [int(pick(r, [2, 3, 4, 8, 32])), sizeOf('m'), mul(int(3), sizeOf('m')), sizeOf('k')])
  const part = (): Expr => anIndex(r, variables, depth - 1)
  if (depth === 0 || r.int(0, 5) === 0)
    return pick<Expr>(r, [
      loopVar(pick(r, variables)),
      loopVar(pick(r, variables)),
      int(r.int(0, 20)),
      sizeOf(pick(r, ['n', 'l'])),
      sub(mul(int(pick(r, [1, 4, 16])), sizeOf('m')), int(r.int(0, 40))), // never negative where it is large enough
    ])
  switch (r.int(0, 6)) {
    case 0:
    case 1:
      return add(part(), part())
    case 2:
      return mul(int(pick(r, [2, 3, 4, 8, 16])), part())
    case 3:
      return variables === naturals ? op(pick(r, ['min', 'max'] as const), [part(), part()]) : sub(part(), part())
    case 4:
    case 5:
      return op('div', [part(), divisor()])
    default:
      return op('rem', [part(), divisor()])
  }
}

describe('quotients and remainders', () => {
  test.each([
    ['variables that are never negative', naturals],
    ['any variables', others],
    ['both', [...naturals, ...others]],
  ])('of %s have the values of the expression', (_, variables) => {
    const r = random(variables.length)
    for (let n = 0; n < 3000; n++) {
      const e = anIndex(r, variables, 4),
        p = polyOf(e, env)
      for (let k = 0; k < 4; k++) {
        const variablesAt = { i: r.int(0, 99), j: r.int(0, 7), p: r.int(-50, 50), q: r.int(-9, 9) },
          at = { ...variablesAt, n: r.int(0, 40), m: 16 * r.int(1, 4), k: r.int(1, 40), l: r.int(-9, 9) },
          named = Object.entries(at),
          byName = new Map([...named, ...named.map(([name, value]) => [`$${name}`, value] as const)])
        expect([polyKey(p), at, valueOf(p, at) + 0]).toEqual([polyKey(p), at, evaluateIndex(e, byName) + 0]) // −0 is 0
      }
    }
  })
  const t = loopVar('i'),
    place = (n: number): Expr => add(mul(t, int(16)), int(n))
  test('a place in a tile that is written out is known in every tile that a power of two divides', () => {
    const digits = (n: number): (number | undefined)[] =>
      [4, 2, 1].map((by) => polyLiteral(polyOf(op('rem', [op('div', [place(n), int(by)]), int(2)]), env)))
    expect([16, 17, 18, 23, 31].map(digits)).toEqual([
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 0],
      [1, 1, 1],
      [1, 1, 1],
    ])
    expect(polyKey(polyOf(op('div', [place(17), int(8)]), env))).toBe(polyKey(polyOf(add(mul(t, int(2)), int(2)), env)))
  })
  test('of what may be negative nothing is split', () => {
    const e = op('rem', [add(mul(loopVar('p'), int(4)), int(1)), int(4)])
    expect(polyLiteral(polyOf(e, env))).toBeUndefined()
  })
})
