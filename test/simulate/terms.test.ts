// Operations on numbers of blocks, which have a quick form for 32-bit integers and bools, against their definition.
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { evaluate, ops, type OpName, type ScalarType } from '../../src/ir/index.ts'
import { onWide, onWords, Terms, type BlockTerm } from '../../src/simulate/classes/term.ts'

const special = [0, 1, -1, 2, 31, 32, 33, 2 ** 31 - 1, -(2 ** 31), 255, -256]
const asHost = (x: number, type: ScalarType): number => (type === 'bool' ? x & 1 : type === 'u32' ? x >>> 0 : x)

describe('operations on what registers hold', () => {
  const next = random(20261127)
  const numbers = [...special, ...Array.from({ length: 40 }, () => next.int(-(2 ** 31), 2 ** 31 - 1))]
  const types: readonly ScalarType[] = ['i32', 'u32', 'bool']
  for (const type of types)
    for (const to of types)
      test(`${type} to ${to}`, () => {
        let compared = 0
        for (const op of Object.keys(ops) as OpName[]) {
          const word = onWords(op, type, to)
          const gives = ops[op].gives === 'bool' ? 'bool' : type
          if (!word || (op !== 'convert' && to !== gives)) continue
          for (const x of numbers)
            for (const y of numbers) {
              const args = [x, y, numbers[compared % numbers.length]!].map((v, i) =>
                asHost(v, op === 'select' && i === 0 ? 'bool' : type),
              )
              const wanted = evaluate(op, type, args.slice(0, ops[op].arity), to)
              const [a, b, c] = args.map((v) => v | 0)
              expect([op, x, y, word(a!, b!, c!) | 0]).toEqual([op, x, y, Number(wanted) | 0])
              compared++
            }
        }
        expect(compared).toBeGreaterThan(numbers.length)
      })
})

describe('operations on 64 bits, as long as doubles hold them', () => {
  const next = random(20261129)
  const numbers = [
    ...special,
    2 ** 40 + 5,
    -(2 ** 40),
    ...Array.from({ length: 40 }, () => next.int(-(2 ** 31), 2 ** 31)),
  ]
  const signed = (v: bigint | number | boolean): number => Number(BigInt.asIntN(64, BigInt(v)))
  const host = (x: number, type: ScalarType): bigint | number => {
    if (type === 'i64') return BigInt(x)
    if (type === 'u64') return BigInt.asUintN(64, BigInt(x))
    return type === 'u32' ? x >>> 0 : x | 0
  }
  const types: readonly ScalarType[] = ['i64', 'u64', 'i32', 'u32']
  test.each(types.flatMap((from) => types.map((to) => [from, to] as const)))('%s to %s', (from, to) => {
    const isWord = (type: ScalarType): boolean => type === 'i32' || type === 'u32'
    for (const op of ['add', 'sub', 'mul', 'copy', 'bitcast', 'convert'] as const) {
      const quick = onWide(op, from, to)
      if (!quick || (ops[op].arity > 1 && from !== to) || (op === 'copy' && from !== to)) continue
      for (const x of numbers)
        for (const y of numbers) {
          const args = [x, y].map((v) => (isWord(from) ? v | 0 : v))
          const wanted = evaluate(
            op,
            from,
            args.slice(0, ops[op].arity).map((v) => host(v, from)),
            to,
          )
          const got = quick(args[0]!, args[1]!, 0)
          if (!Number.isNaN(got))
            expect([op, x, y, got]).toEqual([op, x, y, isWord(to) ? Number(wanted) | 0 : signed(wanted)])
          else expect(Math.abs(x * y)).toBeGreaterThan(2 ** 53)
        }
    }
  })
})

test('a number that is not known stays so', () => {
  const terms = new Terms(),
    block = terms.block(0),
    large = terms.scale(terms.op('convert', 'i32', 'i64', [block]), 2 ** 53, true),
    low = terms.op('convert', 'i64', 'i32', [large])
  for (const t of [low, terms.add(low, terms.constant(1), false), terms.op('lt', 'i32', 'bool', [low, block])])
    expect(t.at(3, 0, 0)).toBeNaN()
})

test('parts of a term, each of one axis, add up to it but for its constants', () => {
  const terms = new Terms(),
    next = random(31)
  const grow = (depth: number): BlockTerm => {
    if (depth === 0) return terms.block(next.int(0, 2) as 0 | 1 | 2) // one of three
    if (next.int(0, 2) === 0) return terms.scale(grow(depth - 1), next.int(-9, 9), false)
    const other = next.int(0, 3) === 0 ? terms.constant(next.int(-99, 99)) : grow(depth - 1)
    return terms.add(grow(depth - 1), other, false)
  }
  let several = 0
  for (let i = 0; i < 300; i++) {
    const { moving } = grow(4),
      parts = moving.parts!
    if (parts.length > 1) several++
    expect(parts.every((p) => [1, 2, 4].includes(p.axes))).toBe(true)
    const sumAt = (...block: readonly [number, number, number]): number =>
      parts.reduce((sum, p) => sum + p.at(...block), 0)
    for (let k = 0; k < 10; k++) {
      const [a, b] = [0, 1].map(() => [next.int(0, 99), next.int(0, 99), next.int(0, 99)] as const)
      expect(sumAt(...a!) - sumAt(...b!)).toBe(moving.at(...a!) - moving.at(...b!))
    }
  }
  expect(several).toBeGreaterThan(100)
  // products and quotients of several axes are no such sum
  const sum = terms.add(terms.block(0), terms.block(1), false)
  expect(terms.quotient(sum, 3).parts).toBeNull()
  expect(terms.op('mul', 'i32', 'i32', [terms.block(0), terms.block(1)]).parts).toBeNull()
})
