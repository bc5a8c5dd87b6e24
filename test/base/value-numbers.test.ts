import { expect, test } from 'vitest'
import { random, ValueNumbers } from '../../src/base/index.ts'

test('equal texts and equal pairs have one number, others have others', () => {
  const numbers = new ValueNumbers(),
    known = new Map<string, number>(),
    { int } = random(1)
  const made: number[] = [-1, -2, -1000]
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [made[int(0, made.length - 1)]!, made[int(0, made.length - 1)]!] // not empty
    const [key, number] = i % 5 === 0 ? [`t${a}`, numbers.ofText(`${a}`)] : [`${a} ${b}`, numbers.ofPair(a, b)]
    expect(number).toBe(known.get(key) ?? known.size)
    known.set(key, number)
    made.push(number)
  }
})
