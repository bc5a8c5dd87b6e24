// The ladder on a GPU with less room: each step starts on it, made smaller where it must be, or is refused.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Effort, random } from '../../src/base/index.ts'
import { gpu } from '../../src/gpus/index.ts'
import { analyse } from '../../src/pipeline.ts'
import { KnownLaunches } from '../../src/tune/estimate.ts'
import { plannedValues, type OptimizeOptions } from '../../src/tune/index.ts'
import { ladderOf } from '../../src/tune/ladder.ts'
import { search } from '../../src/tune/search.ts'
import { readC } from '../c/read.ts'

async function rungsOf(text: string, options: OptimizeOptions): ReturnType<typeof ladderOf> {
  const program = await readC(text)
  return ladderOf({
    analysed: analyse(program),
    values: plannedValues(program),
    options,
    known: new KnownLaunches(),
    built: new WeakMap(),
    effort: new Effort(),
    progress: () => {},
  })
}

test('a GPU with less room gets steps that start on it', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../examples/gemm.c'), 'utf8')
  const rungs = await rungsOf(text.replace('n = 4096', 'n = 128'), { gpu: gpu('gt200'), targets: ['wgsl'] })
  expect(rungs.length).toBe(9)
  for (const { row } of rungs) {
    expect(row.occupancy > 0, row.step).toBe(row.refused === null)
    expect(row.prediction !== null, row.step).toBe(row.refused === null)
  }
  expect(rungs.filter(({ row }) => row.refused === null).length).toBe(9)
})

test('arrays of more than 2³⁰ elements are counted whole: no index of theirs wraps', async () => {
  const rungs = await rungsOf(
    `#define N 1500000000
    void f(const float x[N], float y[N]) { for (int i = 0; i < N; i++) y[i] = x[i] > 0 ? x[i] : 0.5f * x[i]; }`,
    { gpu: gpu('h200'), targets: ['cuda'] },
  )
  expect(rungs.map(({ row }) => row.exact)).toEqual(rungs.map(() => true))
})

test('when the effort is gone, a few candidates are looked at and no more', async () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../examples/gemm.c'), 'utf8')
  const { sketch } = analyse(await readC(text)).parts[0]! // it has one
  const looked = (effort: Effort): number =>
    search(
      sketch,
      () => 1,
      40,
      random(1),
      () => {},
      [],
      () => effort.isGone(),
    ).tried
  expect([looked(new Effort()), looked(new Effort(3600)), looked(new Effort(0))]).toEqual([40, 40, 3])
})
