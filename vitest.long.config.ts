import { defineConfig, mergeConfig } from 'vitest/config'
import ordinary from './vitest.config.ts'

/** What takes minutes: `npm run test:long`, which CI runs after `npm test`. */
export default mergeConfig(
  { ...ordinary, test: { ...ordinary.test, include: [], exclude: [] } },
  defineConfig({ test: { include: ['test/**/*.long.ts'], testTimeout: 1_800_000 } }),
)
