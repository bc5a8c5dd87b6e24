// The machine at work: blocks dealt to multiprocessors, warps that take turns, memories. Expected by hand.
import { expect, test } from 'vitest'
import { explainWithView, interleave, wordsOf, type StepView } from '../../../src/explain/index.ts'
import { dealBlocks } from '../../../src/explain/machine/dealing.ts'
import { gpu } from '../../../src/gpus/index.ts'
import { machineLines } from '../../../src/report/index.ts'

const all = (instructions: readonly number[]) => ({ blocks: null, instructions: Float64Array.from(instructions) })

test('a block goes to the first multiprocessor that has room', () => {
  const { dealt, busy, clocks } = dealBlocks(all([4, 1, 1, 1, 1]), 5, 2, 1, 400)
  expect(dealt.map((d) => [d.block, d.multiprocessor, d.start, d.end])).toEqual([
    [0, 0, 0, 400],
    [1, 1, 0, 100],
    [2, 1, 100, 200],
    [3, 1, 200, 300],
    [4, 1, 300, 400],
  ])
  expect([busy, clocks]).toEqual([1, 400])
})

test('the first blocks are spread before any multiprocessor gets a second', () => {
  const { dealt, busy } = dealBlocks(all([1, 1, 1]), 3, 2, 2, 10)
  expect(dealt.map((d) => [d.multiprocessor, d.slot])).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ])
  expect(busy).toBe(0.75)
})

test('blocks that were not run take as long as the one that stands for their part of the grid', () => {
  const work = { blocks: [[0, 0, 0] as const, [2, 0, 0] as const], instructions: Float64Array.of(1, 3) }
  const { dealt, known } = dealBlocks(work, 4, 1, 1, 8)
  expect(dealt.map((d) => d.end - d.start)).toEqual([1, 1, 3, 3])
  expect(known).toBe(false)
})

test.each([
  [7, 3, 2],
  [100, 4, 3],
  [5, 8, 2],
])('%i equal blocks on %i multiprocessors of %i places go round as they would one by one', (blocks, units, places) => {
  const equal = new Array<number>(blocks).fill(5)
  const next = [...equal, 4] // one more, shorter: dealt out one by one
  const [round, single] = [equal, next].map((w) => dealBlocks(all(w), w.length, units, places, 1))
  const bare = (d: typeof round) =>
    d!.dealt.filter((x) => x.block < blocks).map((x) => [x.block, x.multiprocessor, x.slot])
  expect(bare(round)).toEqual(bare(single))
})

const step = (what: StepView['what'], start: number, issued = 1): StepView => ({
  line: null,
  what,
  access: null,
  count: 1,
  start,
  issued,
  ready: start + issued,
})

test('while a warp waits, another one issues', () => {
  const steps = [step('load', 0), step('compute', 11)] // ten clocks between them
  expect(interleave(steps, 1, 1, 1)).toMatchObject({ clocks: 12, busy: 2 / 12 })
  const two = interleave(steps, 2, 1, 1)
  expect(two.steps.map((s) => [s.warp, s.step, s.start])).toEqual([
    [0, 0, 0],
    [1, 0, 1],
    [0, 1, 11],
    [1, 1, 12],
  ])
  // twelve fill the wait of the first: nothing is ever idle, and no warp is lost
  expect(interleave(steps, 12, 1, 1)).toMatchObject({ clocks: 24, busy: 1 })
})

test('an instruction takes the scheduler four clocks where eight lanes run a warp', () => {
  expect(interleave([step('compute', 0), step('compute', 1)], 1, 1, 4)).toMatchObject({ clocks: 8, busy: 1 })
})

test('a warp at a barrier waits for the last of its block, and not for other blocks', () => {
  const steps = [step('compute', 0), step('barrier', 1), step('compute', 2)]
  const { steps: done } = interleave(steps, 4, 2, 1)
  const at = (warp: number, n: number): number => done.find((d) => d.warp === warp && d.step === n)!.start
  for (const [a, b] of [
    [0, 1],
    [2, 3],
  ] as const) {
    const met = Math.max(at(a, 1), at(b, 1))
    expect(Math.min(at(a, 2), at(b, 2))).toBeGreaterThan(met)
  }
  expect(done).toHaveLength(12)
})

const kernel = `@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { y[id.x] = 2 * x[id.x]; }`

test.each([
  'h200',
  'gt200',
  'mali-g78',
  'apple-m1',
])('on %s everything has a figure or is said to be unknown', (name) => {
  const { view, report } = explainWithView({ text: kernel, file: 'k.wgsl' }, { grid: [1000, 1, 1] }, { gpu: gpu(name) })
  const { dealing, scheduler, memories } = view.machine
  expect(dealing.blocks).toBe(1000)
  expect(dealing.busy).toBeGreaterThan(0)
  expect(dealing.busy).toBeLessThanOrEqual(1)
  expect(Math.max(...dealing.dealt.map((d) => d.end))).toBeLessThanOrEqual(dealing.clocks * 1.0001)
  expect(scheduler.warps).toBeGreaterThanOrEqual(scheduler.group)
  expect(memories.map((m) => m.name)).toContain('registers')
  const text = machineLines(view.machine, wordsOf(report.kernel.language)).join('\n')
  expect(text).toContain('How workgroups are dealt')
  expect(text).toContain('1,000 workgroups for ')
  expect(text).not.toMatch(/NaN|Infinity|undefined/)
})
