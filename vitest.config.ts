import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
    testTimeout: 240_000,
    // Of two cores one would be left idle.
    maxWorkers: 2,
    pool: 'forks',
    globalSetup: 'test/support/build.ts',
    setupFiles: ['test/support/asserts.ts'],
  },
})
