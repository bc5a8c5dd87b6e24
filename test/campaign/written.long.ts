// C functions of a line each, in the types and idioms that people write loops with: gcc under its sanitizers against
// the emitted WGSL on SwiftShader and the emitted CUDA on the host's processor (`written.cases`).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { compareAll } from './compare.ts'
import { writtenFunction } from './written-functions.ts'

const lines = readFileSync(join(import.meta.dirname, 'written.cases'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('//'))

/** Functions of a test. */
const part = 50

for (let first = 0; first < lines.length; first += part) {
  const functions = lines.slice(first, first + part)
  test(`functions ${first + 1} to ${first + functions.length} of ${lines.length} as people write them`, () =>
    compareAll(functions.map((line, i) => writtenFunction(line, first + i))))
}
