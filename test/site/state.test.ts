// The studio's state in an address: the round trip is exact for any text; what is no state is none.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exampleIn, fragmentOf, stateOf, type State } from '../../site/source/studio/state.ts'
import { flagsOfC } from '../../site/source/worker/flags.ts'
import { heatText } from '../../site/source/studio/heat-text.ts'

const program = fc.record({
  language: fc.constantFrom('c' as const, 'wgsl' as const, 'ptx' as const),
  text: fc.string({ unit: 'grapheme', maxLength: 400 }),
  options: fc.string(),
})
const state: fc.Arbitrary<State> = fc.record({
  program,
  gpu: fc.string(),
  before: fc.option(program),
  view: fc.string(),
  heat: fc.string(),
})

test('a state comes back from its fragment as it was', async () => {
  await fc.assert(
    fc.asyncProperty(state, async (s) => {
      const fragment = await fragmentOf(s)
      expect(fragment).toMatch(/^s=[\w-]+$/)
      expect(await stateOf(`#${fragment}`)).toEqual(s)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['', null],
  ['#s=', null],
  ['#s=abc', null],
  ['#s=!', null],
  ['#example=gemm', null],
])('%s is no state', async (fragment, expected) => {
  expect(await stateOf(fragment)).toBe(expected)
})

test('a fragment that inflates without end is no state', async () => {
  const text = new TextEncoder().encode(
    JSON.stringify({ program: { language: 'c', text: ' '.repeat(5e6), options: '' } }),
  )
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = Buffer.from(await new Response(packed).arrayBuffer())
  expect(bytes.length).toBeLessThan(20_000)
  expect(await stateOf(`s=${bytes.toString('base64url')}`)).toBe(null)
})

test.each([
  ['#example=wgsl/particles', { id: 'wgsl/particles', flags: '' }],
  ['#example=gemm&flags=-D%20n%3D64', { id: 'gemm', flags: '-D n=64' }],
  ['#example=gemm&flags=%', null],
  ['#s=abc', null],
])('%s asks for an example', (fragment, expected) => {
  expect(exampleIn(fragment)).toEqual(expected)
})

test.each([
  ['', { defines: {}, single: false }],
  ['-D n=64 -Dm=8', { defines: { n: '64', m: '8' }, single: false }],
  ['--function gemm --precision f32 --budget 4', { defines: {}, function: 'gemm', single: true, budget: 4 }],
])('flags of C: %s', (line, expected) => {
  expect(flagsOfC(line)).toEqual(expected)
})

test.each([
  ['-D', '-D needs a value'],
  ['-D 3=4', '-D 3=4 defines no name'],
  ['--grid 4', "'--grid 4' is no flag of C here"],
])('flags of C that are refused: %s', (line, message) => {
  expect(() => flagsOfC(line)).toThrow(message)
})

test.each([
  [37_748_736, 'B', '37.7 MB'],
  [12, 'B', '12 B'],
  [4_096, '', '4.10 k'],
])('heat: %d %s', (value, unit, text) => {
  expect(heatText(value, unit)).toBe(text)
})
