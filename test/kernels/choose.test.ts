// The choice of tile and slices against what was measured on an H200: close to the best everywhere, a launch counted as
// what it costs the host at least.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { choices, type LayoutName, type TileName } from '../../src/kernels/matmul/choose.ts'

function choose(...given: Parameters<typeof choices>): { tile: TileName; splits: number } {
  const [tile, splits] = (choices(...given).next().value as string).split('/') // there is one
  return { tile: tile as TileName, splits: Number(splits) }
}

type Row = readonly [layout: LayoutName, m: number, n: number, k: number, tile: TileName, splits: number, us: number]
const { rows } = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../bench/data/h200-matmul-tiles.json'), 'utf8'),
) as { rows: Row[] }
const sizes = [...new Set(rows.map(([layout, m, n, k]) => `${layout} ${m}×${n}×${k}`))]
const regrets: number[] = []
/** Microseconds of the host per launch (a loop of such products; matmul 64×64×64 takes 6 to 7). */
const host = 6

describe('products on an H200', () => {
  test.each(sizes)('%s', (size) => {
    const own = rows.filter(([layout, m, n, k]) => `${layout} ${m}×${n}×${k}` === size)
    const [layout, m, n, k] = own[0]!
    const cost = ([, , , , , splits, us]: Row): number => Math.max(us, host * (splits > 1 ? 2 : 1))
    const measured = (tile: TileName, splits: number): number | undefined =>
      own.filter((r) => r[4] === tile && r[5] === splits).map(cost)[0]
    const { tile, splits } = choose('nvidia', { m, n, k, batch: 1, layout }, (t, s) => measured(t, s) !== undefined)
    const regret = measured(tile, splits)! / Math.min(...own.map(cost)) - 1
    regrets.push(regret)
    expect(regret, `${tile} in ${splits}`).toBeLessThan(0.1)
  })

  test('all of them on average', () => {
    expect(regrets.reduce((s, x) => s + x, 0) / regrets.length).toBeLessThan(0.025)
  })
})

const large = { m: 4096, n: 4096, batch: 1, layout: 'nn' } as const

test('large products are turned where that pays, and copies are not made for small ones', () => {
  expect(choose('nvidia', { ...large, k: 4096 }, () => true)).toEqual({ tile: 'large', splits: 1 })
  expect(choose('nvidia', { m: 512, n: 512, k: 512, batch: 1, layout: 'nn' }, () => true).tile).not.toBe('large')
})

test('few tiles share nothing that they load: one block a core is not enough', () => {
  const slices = (n: number): number =>
    choose('nvidia', { m: 64, n, k: 4096, batch: 1, layout: 'nn' }, (t) => t === 'any').splits
  // 63 µs where four take 104; 116 where two take 196 and eight 134
  expect([slices(4096), slices(8192)]).toEqual([8, 4])
  expect(choose('nvidia', { m: 64, n: 4096, k: 4096, batch: 1, layout: 'nn' }, () => true)).toEqual({
    tile: 'slim',
    splits: 8,
  })
})

test('small products are one launch', () => {
  for (const n of [64, 128, 256, 512])
    expect(choose('nvidia', { m: n, n, k: n, batch: 1, layout: 'nn' }, () => true)).toEqual({
      tile: 'quick',
      splits: 1,
    })
  expect(choose('nvidia', { m: 1024, n: 1024, k: 1024, batch: 1, layout: 'nn' }, () => true).tile).toBe('any')
})

test('devices with little memory get the small tile, and batches are not cut', () => {
  expect(choose('software', { ...large, k: 4096 }, () => true)).toEqual({ tile: 'small', splits: 1 })
  expect(choose('nvidia', { ...large, k: 4096 }, (t) => t === 'small')).toEqual({ tile: 'small', splits: 1 })
  expect(choose('nvidia', { m: 64, n: 64, k: 1024, batch: 3, layout: 'nn' }, () => true).splits).toBe(1)
})
