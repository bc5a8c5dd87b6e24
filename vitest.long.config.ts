import { defineConfig, mergeConfig } from 'vitest/config'
import ordinary from './vitest.config.ts'

/** What takes minutes: `npm run test:long`, which CI runs after `npm test`. Random tests run all of their seeds. */
export default mergeConfig(
  { ...ordinary, test: { ...ordinary.test, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: [
        'test/**/*.long.ts',
        'test/**/random*.test.ts',
        'test/wgsl/fuzz.test.ts',
        'test/schedule/blocked.test.ts',
        'test/schedule/tiles.test.ts',
      ],
      testTimeout: 1_800_000,
      env: { TESELA_LONG: '1' },
    },
  }),
)
