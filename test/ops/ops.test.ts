// Every operation of `tesela/ops` on SwiftShader against its reference: at sizes that no vector or tile divides, at
// some that they do, and at 1, into memory that was poisoned.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as ops from '../../src/ops.ts'
import { type Gpu, type Operation, Tensor } from '../../src/kernels/index.ts'
import { openSoftware } from '../kernels/language.ts'
import type { Data } from './data.ts'
import { references } from './references.ts'

let gpu: Gpu
beforeAll(async () => {
  gpu = await openSoftware()
})
afterAll(() => gpu?.dispose())

const sizes = [
  [7, 37, 5],
  [8, 64, 4],
  [3, 259, 9],
  [1, 1, 1],
] as const

const tensorOf = ({ shape, values, type }: Data): Tensor => gpu.tensor(values, shape, type)

/** What nobody wrote is no number, or far from any. */
const poisoned = ({ shape, values, type }: Data): Tensor =>
  gpu.tensor(
    values.map(() => (type === 'f32' ? Number.NaN : 0x7fffffff)),
    shape,
    type,
  )

test('every operation has a reference', () => {
  expect(Object.keys(references).sort()).toEqual(Object.keys(ops).sort())
  expect(Object.keys(ops).length).toBeGreaterThanOrEqual(12)
})

test.each(Object.keys(ops))('%s', async (name) => {
  // its own types are tested where modules are
  const f = (ops as unknown as Readonly<Record<string, Operation>>)[name]!
  for (const [m, n, k] of sizes) {
    const { args, want, within = 0 } = references[name]!(m, n, k)
    const given = Object.fromEntries(
      Object.entries(args).map(([key, a]) => [key, typeof a === 'number' ? a : tensorOf(a)]),
    )
    const out = Object.fromEntries(Object.entries(want).map(([key, w]) => [key, poisoned(w)]))
    const results = f(given, { out, on: gpu })
    for (const [key, w] of Object.entries(want)) {
      const got = await results[key]!.read()
      expect(got.length).toBe(w.values.length)
      const worst = w.values.reduce((far, v, i) => Math.max(far, distance(got[i]!, v)), 0)
      expect({ name, m, n, k, key, far: worst > within ? worst : 0 }).toEqual({ name, m, n, k, key, far: 0 })
    }
    for (const t of [...Object.values(given), ...Object.values(out)]) if (t instanceof Tensor) t.dispose()
  }
})

/** Infinity for what is no number. */
const distance = (got: number, want: number): number =>
  Number.isNaN(got) ? Infinity : Math.abs(got - want) / Math.max(1, Math.abs(want))
