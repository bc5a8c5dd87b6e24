import { expect, test } from 'vitest'
import { same, sameWithoutPlaces, setLast } from '../../src/base/index.ts'

test('trees are the same when all that they hold is', () => {
  const part = { list: [1, 2n, 'x', null] }
  expect(same([part, { a: part, b: NaN }], [{ list: [1, 2n, 'x', null] }, { b: NaN, a: { ...part } }])).toBe(true)
  const others: [unknown, unknown][] = [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: 1 }, { b: 1 }],
    [[1, 2], [1]],
    [[1], { 0: 1, length: 1 }],
    [0, -0],
    [1, 1n],
    [{ a: null }, { a: undefined }],
    [{ toString: 1 }, {}],
    [{}, { toString: 1 }],
    [{ x: 1 }, { toString: 1 }],
    [new Map([[1, 2]]), new Map([[1, 2]])],
  ]
  for (const [a, b] of others) expect(same(a, b)).toBe(false)
})

test('trees are the same but for their places in a text', () => {
  const at = { file: 'a.c', line: 1, column: 2 }
  const pairs: [unknown, unknown, boolean][] = [
    [{ a: 1, at }, { a: 1, at: { ...at, line: 3 } }, true],
    [{ a: 1, at }, { a: 1 }, true],
    [{ a: 1 }, { a: 1, at }, true],
    [{ a: 1, at }, { a: 2, at }, false],
    [{ a: 1, at: 5 }, { a: 1, at: 6 }, false],
    [{ a: 1, at: 5 }, { a: 1 }, false],
    [{ a: [{ at }], b: 1 }, { a: [{}] }, false],
  ]
  for (const [a, b, alike] of pairs) expect(sameWithoutPlaces(a, b)).toBe(alike)
})

test('a map keeps what was set last', () => {
  const map = new Map<string, number>()
  for (const key of ['a', 'b', 'a', 'c']) setLast(map, key, map.size, 2)
  expect([...map.keys()]).toEqual(['a', 'c'])
})
