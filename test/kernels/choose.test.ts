// The choice of tile and slices against what was measured on an H200: close to the best everywhere.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { choices, type TileName } from '../../src/kernels/matmul/choose.ts'

function choose(...given: Parameters<typeof choices>): { tile: TileName; splits: number } {
  const [tile, splits] = (choices(...given).next().value as string).split('/') // there is one
  return { tile: tile as TileName, splits: Number(splits) }
}

type Row = readonly [m: number, n: number, k: number, tile: TileName, variant: string, splits: number, us: number]
const { rows } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../bench/data/h200-matmul-tiles.json'), 'utf8')) as { rows: Row[] }
const sizes = [...new Set(rows.map(([m, n, k]) => `${m}×${n}×${k}`))]
const regrets: number[] = []

describe('products on an H200', () => {
  test.each(sizes)('%s', (size) => {
    const own = rows.filter(([m, n, k]) => `${m}×${n}×${k}` === size)
    const [m, n, k] = own[0]!
    const measured = (tile: TileName, splits: number): number | undefined => own.find((r) => r[3] === tile && r[5] === splits)?.[6]
    const { tile, splits } = choose('nvidia', m, n, k, 1, (t, s) => (t === 'medium' && s === 1) || measured(t, s) !== undefined)
    const regret = measured(tile, splits)! / Math.min(...own.map((r) => r[6])) - 1
    regrets.push(regret)
    expect(regret, `${tile} in ${splits}`).toBeLessThan(0.06)
  })

  test('all of them on average', () => {
    expect(regrets.reduce((s, x) => s + x, 0) / regrets.length).toBeLessThan(0.02)
  })
})

test('devices with little memory get the small tile, and sums without a cut get one slice', () => {
  expect(choose('software', 4096, 4096, 4096, 1, () => true)).toEqual({ tile: 'small', splits: 1 })
  expect(choose('nvidia', 4096, 4096, 4096, 1, (t) => t === 'small')).toEqual({ tile: 'small', splits: 1 })
  expect(choose('nvidia', 64, 64, 1021, 1, () => true).splits).toBe(1)
})
