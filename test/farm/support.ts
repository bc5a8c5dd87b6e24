// For tests of the farm: what jobs need, with a compiler that is called so.
import { existsSync, readFileSync } from 'node:fs'

import { wasm } from '../c/read.ts'
import type { JobFiles, JobTools } from '../../src/farm/index.ts'
import { openMeasurer } from '../../src/tune/index.ts'

export const tools: JobTools = {
  wasm,
  compiler: 'test',
  measurer: openMeasurer,
}

export const files: JobFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  find: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
}
