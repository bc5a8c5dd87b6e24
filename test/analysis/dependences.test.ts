// Dependence analysis against enumeration on random programs, and on the classic cases by hand.
import { describe, expect, test } from 'vitest'
import { dependences, type Dependence, type Direction } from '../../src/analysis/index.ts'
import { parseProgram, printProgram, verifyProgram, type Constraint, type Program } from '../../src/ir/index.ts'
import { randomProgram } from '../random-program.ts'
import { observed } from './brute.ts'

const signs: Readonly<Record<Direction, readonly number[]>> = {
  '<': [1],
  '=': [0],
  '>': [-1],
  '<=': [0, 1],
  '>=': [-1, 0],
  '!=': [-1, 1],
  '*': [-1, 0, 1],
}

const keysOf = (found: readonly Dependence[]): Map<string, Dependence> =>
  new Map(found.map((d) => [`${d.source.id}→${d.sink.id} @ ${d.level ?? '-'}`, d]))

function agree(p: Program, most: number): void {
  const small = p.sizes.map((s): Constraint => ({ form: { constant: most, terms: new Map([[`$${s.name}`, -1]]) } }))
  const seen = observed(p, most),
    reported = keysOf(dependences(p, small)),
    anySize = keysOf(dependences(p))
  expect([...reported.keys()].filter((k) => !anySize.has(k))).toEqual([])
  const missing = [...seen.keys].filter((k) => !reported.has(k)),
    invented = [...reported.keys()].filter((k) => !seen.keys.has(k))
  expect({ missing, invented, in: missing.length + invented.length > 0 ? printProgram(p) : '' }).toEqual({
    missing: [],
    invented: [],
    in: '',
  })
  for (const [key, d] of reported) {
    expect(d.exact).toBe(true)
    d.vector.forEach((step, k) => {
      const values = [...seen.deltas.get(key)![k]!]
      expect(values.every((v) => signs[step.direction].includes(Math.sign(v)))).toBe(true)
      if (step.distance !== null) expect(values).toEqual([step.distance])
    })
  }
}

describe('random programs', () => {
  test.each([
    [1, 120, 6],
    [2, 120, 6],
    [3, 50, 5],
    [4, 16, 4],
  ])('depth %i: what is reported is what enumeration sees', (depth, count, most) => {
    for (let seed = 0; seed < count; seed++) agree(randomProgram(1000 * depth + seed, { depth }), most)
  })
})

/** `flow A i(1) j(0)`: kind, array, and per common loop the distance or direction. */
function words(text: string): string[] {
  const p = parseProgram(
    `program p { size n = 8 min 1 size m = 8 min 1 array A: f32[200] inout global array B: f32[200, 200] ` +
      `inout global array x: f32[200] in global array k: i32[200] in global\n${text} }`,
  )
  verifyProgram(p)
  return dependences(p)
    .map((d) => {
      const loops = d.common.map((l, i) => `${l.name}(${d.vector[i]!.distance ?? d.vector[i]!.direction})`)
      const marks = `${d.reduction ? ' reduction' : ''}${d.exact ? '' : ' perhaps'}`
      return `${d.kind} ${d.array} ${loops.join(' ')}${marks}`.trim()
    })
    .sort()
}

describe('classic cases', () => {
  test.each<[string, string, string[]]>([
    ['GCD: even and odd elements never meet', 'for i in 0 .. n { A[2 * i] = A[2 * i + 1] }', []],
    ['GCD with different strides', 'for i in 0 .. n { A[4 * i] = A[6 * i + 3] }', []],
    ['constant distance', 'for i in 3 .. n { A[i] = A[i - 3] }', ['flow A i(3)']],
    ['distance in iterations of a strided loop', 'for i in 4 .. n step 2 { A[i] = A[i - 4] }', ['flow A i(2)']],
    ['a stride jumps over the dependence', 'for i in 4 .. n step 2 { A[i] = A[i - 3] }', []],
    ['bounds exclude it', 'for i in 0 .. 10 { A[i] = A[i + 10] }', []],
    ['coupled subscripts that separate tests would report', 'for i in 0 .. n { B[i, i] = B[i + 1, i] }', []],
    [
      'coupled subscripts of two loops',
      'for i in 0 .. n { for j in 0 .. m { B[i + 1, j + 2] = B[i, j] } }',
      ['flow B i(1) j(2)'],
    ],
    [
      'wavefront',
      'for i in 1 .. n { for j in 1 .. m { B[i, j] = B[i - 1, j] + B[i, j - 1] } }',
      ['flow B i(0) j(1)', 'flow B i(1) j(0)'],
    ],
    [
      'interchange-preventing',
      'for i in 1 .. n { for j in 0 .. m { B[i, j] = B[i - 1, j + 1] } }',
      ['flow B i(1) j(-1)'],
    ],
    [
      'triangular: above the diagonal is never read back',
      'for i in 0 .. n { for j in 0 .. i { B[i, j] = B[j, i] } }',
      [],
    ],
    ['triangular: the diagonal is', 'for i in 0 .. n { for j in 0 .. i { B[i, j] = B[j, j] + B[i, i] } }', []],
    [
      'triangular solve',
      'for i in 0 .. n { for j in 0 .. i { A[i] = A[i] - A[j] } }',
      ['anti A i(0) j(<)', 'flow A i(0) j(<)', 'flow A i(<) j(<)', 'output A i(0) j(<)'],
    ],
    ['symbolic offset: only when n is in range', 'for i in 0 .. m { A[i + n] = A[i] }', ['flow A i(<)']],
    ['symbolic offset that is too far', 'for i in 0 .. n { A[i + n] = A[i] }', []],
    [
      'a guard separates the halves',
      'for i in 0 .. n { if i < 5 { A[i] = 1.0f } else { A[i + 1] = A[0] } }',
      ['flow A i(<)'],
    ],
    [
      'tile loops that partition',
      'for t in 0 .. (n + 3) / 4 { for i in 4 * t .. min(n, 4 * t + 4) { A[i] = A[i] + 1.0f } }',
      [],
    ],
    ['quotients: neighbours share an element', 'for i in 0 .. n { A[i / 2] = 1.0f }', ['output A i(1)']],
    ['remainders: every third', 'for i in 0 .. n { A[i % 3] = 1.0f }', ['output A i(<)']],
    [
      'reduction',
      'for i in 0 .. n { A[0] += x[i] }',
      ['anti A i(<) reduction', 'flow A i(<) reduction', 'output A i(<) reduction'],
    ],
    [
      'a reduction that is read on the way is none',
      'for i in 0 .. n { A[0] += x[i] B[0, i] = A[0] }',
      [
        'anti A i(<)',
        'anti A i(<) reduction',
        'flow A i(0)',
        'flow A i(<)',
        'flow A i(<) reduction',
        'output A i(<) reduction',
      ],
    ],
    ['scatter through an index array', 'for i in 0 .. n { A[k[i]] = x[i] }', ['output A i(<) perhaps']],
    [
      'a local is private to the iteration',
      'for i in 0 .. n { declare t: f32[] temp private t = x[i] A[i] = t }',
      ['flow t i(0)'],
    ],
    ['between two loops', 'for i in 0 .. n { A[i] = 1.0f } for j in 0 .. n { B[0, j] = A[j] }', ['flow A']],
    [
      'between two loops that do not overlap',
      'for i in 0 .. n { A[i] = 1.0f } for j in 0 .. n { B[0, j] = A[j + n] }',
      [],
    ],
  ])('%s', (_, text, expected) => expect(words(text)).toEqual([...expected].sort()))
})
