import { defineConfig } from 'vitest/config'
import ordinary from './vitest.config.ts'

/**
 * What takes minutes: `npm run test:long`, which CI runs after `npm test`. Random tests run all of their seeds, and
 * tests of long lists all of their elements.
 */
export default defineConfig({
  test: {
    ...ordinary.test,
    projects: undefined,
    include: [
      'test/**/*.long.ts',
      'test/**/random*.test.ts',
      'test/wgsl/fuzz.test.ts',
      'test/schedule/host-loops/blocked.test.ts',
      'test/schedule/host-loops/wavefront-tiles.test.ts',
      'test/schedule/sketches.test.ts',
      'test/simulate/equivalence.test.ts',
      'test/kernels/plans.test.ts',
      'test/kernels/operations/matrices.test.ts',
    ],
    testTimeout: 1_800_000,
    env: { TESELA_LONG: '1' },
  },
})
