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

/** Whether products are what they must be, of factors as they lie and of transposed ones: by then every way of reading a factor was tried. Rejects where the device refuses one. */
export async function isRight(core: Core): Promise<boolean> {
  const sizes = { splits: 1, n: size, m: size, p: size }, layouts = ['nn', 'tt'] as const
  if (!layouts.every((layout) => core.fits(recipe, layout, sizes))) return false
  const [x, y] = [matrix((i, k) => element(i, k)), matrix((k, j) => element(3 * j + 1, k))]
  const [a, b] = [tensor(core, x, [size, size]), tensor(core, y, [size, size])], [left, right] = powers(a, b)
  const made = layouts.map((plan) => {
    const c = blank(core, [size, size], 'f32')
    core.record({ module: 'matrices', recipe, plan, sizes, arrays: { A: a.buffer, B: b.buffer, a: left.buffer, b: right.buffer, C: c.buffer }, cost: { bytes: 12 * size ** 2, flop: 2 * size ** 3 } })
    return c
  })
  for (const t of [a, b, left, right]) t.dispose()
  try {
    const [plain, turned] = await Promise.all(made.map((c) => c.read()))
    return isProduct(plain!, (i, k) => x[i * size + k]!, (k, j) => y[k * size + j]!) && isProduct(turned!, (i, k) => x[k * size + i]!, (k, j) => y[j * size + k]!) // both have size² elements
  } finally { for (const c of made) c.dispose() }
}

type Elements = (row: number, column: number) => number

const isProduct = (got: Float32Array, a: Elements, b: Elements): boolean => got.every((value, e) => {
  const i = Math.floor(e / size), j = e % size
  let want = 0
  for (let k = 0; k < size; k++) want += a(i, k) * b(k, j)
  return Math.abs(value - want) <= most * want
})

const matrix = (f: Elements): Float32Array<ArrayBuffer> => Float32Array.from({ length: size ** 2 }, (_, e) => f(Math.floor(e / size), e % size))
