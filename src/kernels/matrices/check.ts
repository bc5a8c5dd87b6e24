// One product that is known, before a device multiplies on its matrix units. In: a device. Out: whether it is right, every element of it.
import type { Core } from '../core.ts'
import { recipe } from '../made/matrices.made.js'
import { blank, tensor } from '../tensor.ts'
import { powers } from './powers.ts'

/** Rows and columns, and terms of a sum. */
const side = 64, depth = 256
/** A sum of so many terms in f32 is off by less; one without the second piece of a factor by 2⁻¹². */
const most = 1e-5

/** Elements of four bits, and an eighth or so of what eleven bits hold beneath them: one more piece of f16 in each. All are positive, so that what is left out adds up. */
const element = (i: number, k: number): number => (1 + ((5 * i + 3 * k + ((i * k) >> 4)) % 16) / 16) * (1 + 2 ** -12)

/** Whether products are what they must be, of factors as they lie and of transposed ones: by then every way of reading a factor was tried. Rejects where the device refuses one. */
export async function isRight(core: Core): Promise<boolean> {
  const sizes = { splits: 1, n: side, m: side, p: depth }, layouts = ['nn', 'tt'] as const
  if (!layouts.every((layout) => core.fits(recipe, layout, sizes))) return false
  const [x, y] = [3, 1].map((step) => Float32Array.from({ length: side * depth }, (_, e) => element(Math.floor(e / depth), step * (e % depth)))) as [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] // two in, two out
  const [a, b] = [tensor(core, x), tensor(core, y)], [left, right] = powers(a, b)
  const made = layouts.map((plan) => {
    const c = blank(core, [side, side], 'f32')
    core.record({ module: 'matrices', recipe, plan, sizes, arrays: { A: a.buffer, B: b.buffer, a: left.buffer, b: right.buffer, C: c.buffer }, cost: { bytes: a.bytes + b.bytes + c.bytes, flop: 2 * side * side * depth } })
    return c
  })
  for (const t of [a, b, left, right]) t.dispose()
  try {
    const [plain, turned] = await Promise.all(made.map((c) => c.read()))
    return isProduct(plain!, (i, k) => x[i * depth + k]!, (k, j) => y[k * side + j]!) && isProduct(turned!, (i, k) => x[k * side + i]!, (k, j) => y[j * depth + k]!) // inside of all of them
  } finally { for (const c of made) c.dispose() }
}

type Elements = (row: number, column: number) => number

const isProduct = (got: Float32Array, a: Elements, b: Elements): boolean => got.every((value, e) => {
  let want = 0
  for (let k = 0; k < depth; k++) want += a(Math.floor(e / side), k) * b(k, e % side)
  return Math.abs(value - want) <= most * want
})
