// Texts that the page reads without the compiler: the language of what is pasted, the flags of a launch.
import { expect, test } from 'vitest'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readExamples } from '../../site/build/examples.ts'
import { languageOf } from '../../site/source/languages/guess.ts'
import { argumentFlag, gridIn, withArgument, withGrid } from '../../site/source/worker/launch-flags.ts'

const root = join(import.meta.dirname, '../..')

test('every example is in the language that its text tells', () => {
  const examples = readExamples(join(root, 'examples'))
  expect(examples.filter((e) => languageOf(e.text) !== e.language).map((e) => e.id)).toEqual([])
  expect(examples.length).toBeGreaterThan(50)
})

test('every program of bench/everyday is C', () => {
  const folder = join(root, 'bench/everyday')
  const programs = readdirSync(folder).filter((f) => f.endsWith('.c'))
  expect(programs.filter((f) => languageOf(readFileSync(join(folder, f), 'utf8')) !== 'c')).toEqual([])
  expect(programs.length).toBeGreaterThan(10)
})

test.each([
  ['.version 8.0\n.target sm_90\n', 'ptx'],
  ['__global__ void f(float *x) { x[0] = 1; }', 'c'],
  ['for the sum of all, see below', null],
  ['', null],
] as const)('%j is %s', (text, language) => {
  expect(languageOf(text)).toBe(language)
})

test('flags of a launch are read and written one by one', () => {
  expect(gridIn('--grid 32,128 --arg n=4')).toEqual(['32', '128', '1'])
  expect(withGrid('--arg n=4 --grid=32,128', [8, 1, 1])).toBe('--arg n=4 --grid 8')
  expect(withGrid('', [8, 2, 1])).toBe('--grid 8,2')
  expect(argumentFlag('--arg n=4 --arg size.m=5', 'size.m')).toBe('--arg size.m=5')
  expect(argumentFlag('--arg n=4', 'size.n')).toBe('--arg n=4')
  expect(argumentFlag('--arg n=4', 'size.m')).toBeNull()
  expect(withArgument('--grid 8 --arg n=4', 'size.n', '9')).toBe('--grid 8 --arg size.n=9')
  expect(withArgument('--grid 8', 'size.m', '-9')).toBe('--grid 8 --arg size.m=-9')
})
