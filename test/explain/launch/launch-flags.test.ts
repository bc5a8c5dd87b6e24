// A launch as one line of flags: what is read, and what is refused in which words.
import { expect, test } from 'vitest'
import { launchOfFlags } from '../../../src/explain/index.ts'

test.each([
  ['', { launch: {} }],
  ['--grid 64', { launch: { grid: [64, 1, 1] } }],
  ['  --grid 8,4   --override n=3 --override m=0x10 ', { launch: { grid: [8, 4, 1], overrides: { n: 3, m: 16 } } }],
  ['--arg p.n=64 --arg on=true --exact', { launch: { args: { 'p.n': 64, on: 1 } }, exact: true }],
  [
    '--arg p.size=64,32 --arg q=[1,2,-3.5]',
    { launch: { args: { 'p.size.x': 64, 'p.size.y': 32, 'q.x': 1, 'q.y': 2, 'q.z': -3.5 } } },
  ],
  ['--block 32,2 --shared 1024 --entry main', { launch: { block: [32, 2, 1], shared: 1024 }, entry: 'main' }],
  ['--buffer a=f32[16]:iota', { launch: { buffers: { a: { type: 'f32', count: 16, fill: 'iota' } } } }],
  ['--sampler s=nearest', { launch: { samplers: { s: { filter: 'nearest' } } } }],
])('%s', (line, expected) => {
  expect(launchOfFlags(line)).toEqual(expected)
})

test.each([
  ['64', "'64' is no flag of a launch"],
  ['--grid', '--grid needs a value'],
  ['--grid 0', '--grid: It must be one to three whole numbers'],
  ['--arg n', '--arg: It must be NAME=NUMBER.'],
  ['--arg n=1,', '--arg: It must be NAME=NUMBER, or NAME=X,Y,Z of a vector.'],
  ['--constructor x', "'--constructor' is no flag"],
  ['--buffer a=f32[16]:@secret', '--buffer: There are no files here'],
  ['--shared -1', '--shared: It must be a number of bytes'],
])('refused: %s', (line, message) => {
  expect(() => launchOfFlags(line)).toThrow(message)
})
