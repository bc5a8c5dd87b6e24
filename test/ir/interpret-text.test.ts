// Programs that run as compiled text leave what the closures leave, which define what a program means: the same numbers
// to the bit, or the same sentence.
import { describe, expect, test } from 'vitest'
import { random } from '../../src/base/index.ts'
import { hostArray, interpret, parseProgram, type InterpretOptions, type Program } from '../../src/ir/index.ts'
import { randomProgram } from '../random-program.ts'
import { seedsOf } from '../support/long.ts'

/** What a run leaves in its arrays, bit by bit, or what it says. */
function left(p: Program, sizes: Record<string, number>, options: InterpretOptions): unknown {
  const r = random(3)
  const arrays = Object.fromEntries(
    p.arrays.map((a) => {
      const memory = hostArray(a.type, 48 ** a.shape.length)
      for (let i = 0; i < memory.length; i++) if (typeof memory[i] === 'number') memory[i] = r.int(-9, 9)
      return [a.name, memory]
    }),
  )
  const scalars = Object.fromEntries(p.scalars.map((s, i) => [s.name, 1.3 + i]))
  try {
    interpret(p, { sizes, scalars, arrays }, options)
  } catch (e) {
    return String(e)
  }
  return Object.values(arrays).map((a) => Array.from(new Uint8Array(a.buffer)).join())
}

const same = (p: Program, sizes: Record<string, number>): void => {
  for (const options of [{}, { precision: 'f64' }, { moved: () => (x: number) => x + 1 }] as const)
    expect(left(p, sizes, options)).toEqual(left(p, sizes, { ...options, closures: true }))
}

test('random programs', () => {
  for (let seed = 0; seed < seedsOf(600); seed++)
    same(randomProgram(seed, { depth: 1 + (seed % 4) }), { n: 1 + (seed % 6), m: 6 - (seed % 6) })
})

describe('a program', () => {
  const header = 'size n = 20 min 0 array x: f32[n] in global array y: f32[n] out global array z: i32[n] out global'
  test.each<[string, string]>([
    ['that leaves its array', 'for i in 0 .. n { y[i] = x[i + 1] }'],
    ['with a place that data choose', 'for i in 0 .. n { z[i] = i32(x[i]) y[i] = x[z[i]] }'],
    ['that reads before it writes', 'declare t: f32[20] temp private for i in 1 .. n { t[i] = x[i] y[i] = t[i - 1] }'],
    [
      'with sums of every kind',
      'for i in 0 .. n { y[i] = x[i] y[i] += 2.0f y[i] max= 1.0f y[i] *= 0.3f z[i] = 3 z[i] min= 2 }',
    ],
    [
      'of large integers',
      'for i in 0 .. n { z[i] = i * 2147483647 + 7 z[i] *= 65539 z[i] = z[i] / (i - 3) + z[i] % 7 }',
    ],
  ])('%s', (_, body) => {
    same(parseProgram(`program p { ${header} ${body} }`), { n: 20 })
  })
})
