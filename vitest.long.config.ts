import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import ordinary, { sweeps } from './vitest.config.ts'

/** Tests of which `npm test` runs a part: they ask `test/support/long.ts` how much. */
const ofAPart = readdirSync('test', { recursive: true })
  .map((name) => join('test', String(name)))
  .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes('support/long.ts'))

/**
 * What takes minutes: `npm run test:long`, which CI runs after `npm test`. Random tests run all of their seeds, and
 * tests of long lists all of their elements.
 */
export default defineConfig({
  test: {
    ...ordinary.test,
    projects: undefined,
    include: ['test/**/*.long.ts', ...sweeps, ...ofAPart],
    testTimeout: 1_800_000,
    env: { TESELA_LONG: '1' },
    reporters: ['default', ['./test/support/hanging-files.ts', { seconds: 3600 }]],
  },
})
