// Packed triangles: rows that follow each other without a gap are told apart, rows that overlap are not.
import { expect, test } from 'vitest'
import { dependences } from '../../src/analysis/index.ts'
import { parseProgram } from '../../src/ir/index.ts'

/** Loops that carry a dependence of `c`. */
const carriedBy = (upper: string, index: string, lower = '0'): readonly string[] => {
  const p = parseProgram(`program p {
  size n = 64 min 1
  array x: f32[n] in global
  array c: f32[n * n] inout global
  for i in 0 .. n {
    for j in ${lower} .. ${upper} {
      c[${index}] = x[i]
    }
  }
}`)
  return [
    ...new Set(dependences(p).flatMap((d) => (d.array === 'c' && d.level !== null ? [d.common[d.level]!.name] : []))),
  ]
}

test('rows of a triangle, packed one after the other, do not meet', () => {
  expect(carriedBy('i + 1', 'i * (i + 1) / 2 + j')).toEqual([])
  expect(carriedBy('i', 'i * (i - 1) / 2 + j')).toEqual([])
  expect(carriedBy('n', 'i * n - i * (i + 1) / 2 + j', 'i')).toEqual([])
})

test('rows that are longer than what lies between their beginnings meet', () => {
  expect(carriedBy('i + 2', 'i * (i + 1) / 2 + j')).toContain('i')
  expect(carriedBy('n', 'i * (i + 1) / 2 + j')).toContain('i')
})
