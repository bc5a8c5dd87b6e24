// Expressions that the host computes mean what plans mean by them: random ones, at random numbers.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hostValue, hostWords, solved } from '../../src/kernels/operation/host-values.ts'
import { valueOf } from '../../src/compile/operation-data.ts'
import { planValue, type Expr, type OpName } from '../../src/ir/index.ts'

const names = ['m', 'n', 'k']
const binary: readonly OpName[] = ['add', 'sub', 'mul', 'div', 'rem', 'min', 'max', 'and', 'or', 'xor']
const comparisons: readonly OpName[] = ['lt', 'le', 'eq', 'ne', 'gt', 'ge']
const type = 'i32'

const { integer } = fc.letrec<{ integer: Expr; bool: Expr }>((tie) => ({
  integer: fc.oneof(
    { maxDepth: 5 },
    fc.integer({ min: -9, max: 4096 }).map((value): Expr => ({ kind: 'const', type, value })),
    fc.constantFrom(...names).map((name): Expr => ({ kind: 'size', type, name })),
    fc
      .tuple(fc.constantFrom(...binary), tie('integer'), tie('integer'))
      .map(([op, a, b]): Expr => ({ kind: 'op', type, op, args: [a, b] })),
    fc
      .tuple(tie('bool'), tie('integer'), tie('integer'))
      .map(([c, a, b]): Expr => ({ kind: 'op', type, op: 'select', args: [c, a, b] })),
  ),
  bool: fc
    .tuple(fc.constantFrom(...comparisons), tie('integer'), tie('integer'))
    .map(([op, a, b]): Expr => ({ kind: 'op', type: 'bool', op, args: [a, b] })),
}))

test('integers', () => {
  const values = fc.record({
    m: fc.integer(),
    n: fc.integer({ min: 0, max: 70000 }),
    k: fc.integer({ min: -3, max: 3 }),
  })
  let asked = 0
  fc.assert(
    fc.property(integer, values, (e, sizes) => {
      asked++
      expect(hostValue(valueOf(e), sizes)).toBe(planValue(e, { sizes, scalars: {} }) + 0)
    }),
    { numRuns: 2000 },
  )
  expect(asked).toBe(2000)
})

const cases: readonly (readonly [Parameters<typeof hostValue>[0], number])[] = [
  [['mul', 'i32', 'a', 'a'], 123456789 * 123456789],
  [['mul', 'u32', 'a', 'a'], Math.imul(123456789, 123456789) >>> 0],
  [['add', 'i32', 2147483647, 15], 2147483662],
  [['div', 'f32', 1, 3], Math.fround(1 / 3)],
  [['mul', 'f32', 'x', 3], Math.fround(Math.fround(0.1) * 3)],
  [['truncate', 'i32', 3e9], 2147483647],
  [['truncate', 'u32', -1.5], 0],
  [['convert', 'u32', -1], 4294967295],
  [['shr', 'u32', ['convert', 'u32', -1], 28], 15],
  [['shr', 'i32', -16, 2], -4],
  [['clz', 'i32', 4096], 19],
  [['clz', 'i32', 0], 32],
  [['clz', 'i32', -1], 0],
]
test.each(cases)('%j is %d', (e, want) => {
  expect(hostValue(e, { a: 123456789, x: Math.fround(0.1) })).toBe(want)
})

test('extents do not wrap', () => {
  expect(hostValue(['mul', 'i32', 'n', 'n'], { n: 65536 })).toBe(2 ** 32)
})

const equations: readonly (readonly [Parameters<typeof solved>[0], number, ReturnType<typeof solved>])[] = [
  ['n', 5, ['n', 5]],
  [['add', 'i32', 'n', 1], 5, ['n', 4]],
  [['sub', 'i32', 'n', 3], 5, ['n', 8]],
  [['sub', 'i32', 10, 'n'], 4, ['n', 6]],
  [['mul', 'i32', 4, ['add', 'i32', 'n', 'k']], 24, ['n', 4]],
  [['mul', 'i32', 4, 'n'], 5, null],
  [['div', 'i32', 'n', 2], 5, null],
  [['add', 'i32', 'n', 'm'], 5, null],
  ['k', 5, null],
]
test.each(equations)('%j = %d', (e, value, want) => {
  expect(solved(e, value, { k: 2 })).toEqual(want)
})

test('words', () => {
  expect(hostWords(['mul', 'i32', ['add', 'i32', 'n', 1], 'm'])).toBe('(n + 1) * m')
})
