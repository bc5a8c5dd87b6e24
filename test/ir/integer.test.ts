// The integer decision procedure against enumeration of small boxes, and against classic cases.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feasible, implies, type Constraint } from '../../src/ir/index.ts'

const c = (terms: Record<string, number>, constant: number, equal = false): Constraint => ({
  form: { constant, terms: new Map(Object.entries(terms).filter(([, v]) => v !== 0)) },
  equal,
})

describe('classic cases', () => {
  test('2x = 2y + 1 has no solution (GCD)', () => expect(feasible([c({ x: 2, y: -2 }, -1, true)])).toBe('empty'))
  test('27 ≤ 11x + 13y ≤ 45 and −10 ≤ 7x − 9y ≤ 4 has none, though rationals have (Pugh 1991)', () =>
    expect(
      feasible([c({ x: 11, y: 13 }, -27), c({ x: -11, y: -13 }, 45), c({ x: 7, y: -9 }, 10), c({ x: -7, y: 9 }, 4)]),
    ).toBe('empty'))
  test('7x + 12y + 31z = 17, 3x + 5y + 14z = 7, 1 ≤ x ≤ 40, −50 ≤ y ≤ 50 has one (Pugh 1991)', () =>
    expect(
      feasible([
        c({ x: 7, y: 12, z: 31 }, -17, true),
        c({ x: 3, y: 5, z: 14 }, -7, true),
        c({ x: 1 }, -1),
        c({ x: -1 }, 40),
        c({ y: 1 }, 50),
        c({ y: -1 }, 50),
      ]),
    ).toBe('feasible'))
  test('0 ≤ i < n and i ≥ n contradict for every n', () =>
    expect(feasible([c({ i: 1 }, 0), c({ i: -1, n: 1 }, -1), c({ i: 1, n: -1 }, 0)])).toBe('empty'))
  test('0 ≤ j < m implies j + 1 ≥ 0 but not j ≥ 1', () => {
    const known = [c({ j: 1 }, 0), c({ j: -1, m: 1 }, -1)]
    expect(implies(known, c({ j: 1 }, 1).form)).toBe(true)
    expect(implies(known, c({ j: 1 }, -1).form)).toBe(false)
  })
  test('a list that has grown or changed since it was asked is read again', () => {
    const known = [c({ j: 1 }, 0)],
      form = c({ j: 1 }, -3).form
    expect(implies(known, form)).toBe(false)
    known.push(c({ j: 1 }, -3))
    expect(implies(known, form)).toBe(true)
    known[1] = c({ j: 1 }, -2)
    expect(implies(known, form)).toBe(false)
  })
  test('answers of questions that differ by 2³² somewhere are kept apart', () => {
    const below = (n: number): Constraint => c({ j: -1 }, n)
    expect([
      feasible([c({ j: 1 }, 0), below(-1)]),
      feasible([c({ j: 1 }, 0), below(2 ** 32 - 1)]),
      feasible([c({ j: 1 }, 0), below(-1)]),
    ]).toEqual(['empty', 'feasible', 'empty'])
  })
})

test('agrees with enumeration on random systems in a box', () => {
  const coefficient = fc.integer({ min: -7, max: 7 })
  const row = fc.record({
    x: coefficient,
    y: coefficient,
    z: coefficient,
    k: fc.integer({ min: -25, max: 25 }),
    equal: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 7 }), (rows, size) => {
      const box = ['x', 'y', 'z'].flatMap((v) => [c({ [v]: 1 }, 0), c({ [v]: -1 }, size - 1)])
      let found = false
      for (let x = 0; x < size; x++)
        for (let y = 0; y < size; y++)
          for (let z = 0; z < size; z++) {
            found ||= rows.every((r) => {
              const v = r.x * x + r.y * y + r.z * z + r.k
              return r.equal ? v === 0 : v >= 0
            })
          }
      const asked = rows.map((r) => c({ x: r.x, y: r.y, z: r.z }, r.k, r.equal)),
        answer = found ? 'feasible' : 'empty'
      expect([feasible([...asked, ...box]), feasible(box, asked), feasible(asked, box)]).toEqual([
        answer,
        answer,
        answer,
      ])
    }),
    { numRuns: 3000, seed: 1 },
  )
})
