// One product that is known, before a device multiplies on its matrix units. In: a device. Out: whether it is right, every element of it.
import type { Core } from '../core.ts'
import { recipe } from '../made/matrices.made.js'
import { blank, tensor } from '../tensor.ts'
import { powers } from './powers.ts'

const size = 128
/** A sum of 128 terms in f32 is off by less; one without the second piece of a factor by 2⁻¹². */
const most = 1e-5

/** Elements of four bits, and an eighth or so of what eleven bits hold beneath them: one more piece of f16 in each. All are positive, so that what is left out adds up. */
const element = (i: number, k: number): number => (1 + ((5 * i + 3 * k + ((i * k) >> 4)) % 16) / 16) * (1 + 2 ** -12)

/** Whether a product of the plan `nn` is what it must be. Rejects where the device refuses it. */
export async function isRight(core: Core): Promise<boolean> {
  const sizes = { splits: 1, n: size, m: size, p: size }
  if (!core.fits(recipe, 'nn', sizes)) return false
  const [x, y] = [matrix((i, k) => element(i, k)), matrix((k, j) => element(3 * j + 1, k))]
  const [a, b] = [tensor(core, x, [size, size]), tensor(core, y, [size, size])], c = blank(core, [size, size], 'f32'), [left, right] = powers(a, b)
  core.record({ module: 'matrices', recipe, plan: 'nn', sizes, arrays: { A: a.buffer, B: b.buffer, a: left.buffer, b: right.buffer, C: c.buffer }, cost: { bytes: 12 * size ** 2, flop: 2 * size ** 3 } })
  for (const t of [a, b, left, right]) t.dispose()
  try {
    return (await c.read()).every((got, e) => {
      let want = 0
      for (let k = 0; k < size; k++) want += x[e - (e % size) + k]! * y[k * size + (e % size)]! // both have size² elements
      return Math.abs(got - want) <= most * want
    })
  } finally { c.dispose() }
}

const matrix = (f: (row: number, column: number) => number): Float32Array<ArrayBuffer> => Float32Array.from({ length: size ** 2 }, (_, e) => f(Math.floor(e / size), e % size))
