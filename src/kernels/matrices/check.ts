// Products that are known, before a device multiplies on its matrix units. In: a device. Out: whether they are right,
// every element of them.
import type { Core } from '../device/core.ts'
import { recipe } from '../made/matrices.made.js'
import { blank, tensor } from '../tensor.ts'

/** Of results, and terms of a sum. */
const size = 64,
  depth = 256
/** A sum of 256 terms in f32 is off by less; one without the second piece of a factor by 2⁻¹². */
const most = 1e-5

/**
 * Elements of four bits, and an eighth or so of what eleven bits hold beneath them: one more piece of f16 in each. All
 * are positive, so that what is left out adds up.
 */
const element = (i: number, k: number): number => (1 + ((5 * i + 3 * k + ((i * k) >> 4)) % 16) / 16) * (1 + 2 ** -12)

/**
 * Whether products with a small tile are what they must be, of factors as they lie and of transposed ones: by then
 * every way of reading a factor was tried. Rejects where the device refuses one.
 */
export async function isRight(core: Core): Promise<boolean> {
  const sizes = { splits: 1, n: size, m: size, p: depth },
    layouts = ['nn', 'tt'] as const
  if (!layouts.every((layout) => [layout, `check-${layout}`].every((plan) => core.fits(recipe, plan, sizes))))
    return false
  const right = (k: number, j: number): number => element(3 * j + 1, k)
  const made = layouts.map((layout) => {
    const turned = layout === 'tt',
      c = blank(core, [size, size], 'f32')
    const [a, b] = [
        tensor(core, stored(size, depth, turned, element), [size, depth]),
        tensor(core, stored(depth, size, turned, right), [depth, size]),
      ],
      one = tensor(core, new Float32Array([2 ** 12, 2 ** -6, 2 ** -6]))
    core.record({
      module: 'matrices',
      recipe,
      plan: `check-${layout}`,
      sizes,
      arrays: { A: a.memory, B: b.memory, a: one.memory, b: one.memory, C: c.memory },
      cost: { bytes: a.bytes + b.bytes + c.bytes, flop: 2 * size * size * depth },
    })
    for (const t of [a, b, one]) t.dispose()
    return c
  })
  try {
    return (await Promise.all(made.map((c) => c.read()))).every((got) =>
      got.every((value, e) => {
        let want = 0
        for (let k = 0; k < depth; k++) want += element(Math.floor(e / size), k) * right(k, e % size)
        return Math.abs(value - want) <= most * want
      }),
    )
  } finally {
    for (const c of made) c.dispose()
  }
}

/** Elements by row and column, in the order in which they lie. */
const stored = (
  rows: number,
  columns: number,
  turned: boolean,
  f: (row: number, column: number) => number,
): Float32Array<ArrayBuffer> =>
  Float32Array.from({ length: rows * columns }, (_, e) =>
    turned ? f(e % rows, Math.floor(e / rows)) : f(Math.floor(e / columns), e % columns),
  )
