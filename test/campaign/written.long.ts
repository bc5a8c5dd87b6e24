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

test(`${lines.length} functions as people write them`, () =>
  compareAll(lines.map((line, i) => writtenFunction(line, i))))
