import { defineConfig } from 'vitest/config'

/**
 * Files that need a process of their own: they replace a module or the environment. All others run one after the other
 * in two processes, which share what is compiled, the parser and the software GPU.
 */
const alone = ['test/kernels/operations/matrices.test.ts', 'test/cli/nvcc.test.ts']

export default defineConfig({
  // What every pass leaves is verified (`src/ir/passes/run.ts`).
  define: { TESELA_VERIFY_EACH: 'true' },
  test: {
    testTimeout: 240_000,
    // Of two cores one would be left idle.
    maxWorkers: 2,
    pool: 'forks',
    globalSetup: 'test/support/build.ts',
    setupFiles: ['test/support/asserts.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts', 'src/**/*.test.ts'], exclude: alone, isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
