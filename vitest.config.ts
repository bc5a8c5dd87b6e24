import { defineConfig } from 'vitest/config'

/**
 * Files that need a process of their own: they replace a module or the environment. All others run one after the other
 * in two processes, which share what is compiled, the parser and the software GPU.
 */
const alone = ['test/cli/cuda/nvcc.test.ts']

/**
 * Sweeps: long lists of programs, sizes and launches that say once more, and of more, what tests of the parts say. They
 * take as long as all others together; `npm run test:long` runs them.
 */
export const sweeps = [
  'cli/bench',
  'cli/screens',
  'emit/host-cuda',
  'explain/browser',
  'farm/batch',
  'farm/faults',
  'kernels/browser/bundlers',
  'kernels/browser/example',
  'kernels/browser/first-call',
  'kernels/docs',
  'kernels/operations/conv',
  'kernels/operations/edges',
  'kernels/operations/matrices',
  'kernels/operations/nmf',
  'kernels/operations/sums',
  'kernels/plans',
  'kernels/tune',
  'model/fidelity',
  'ops/ops',
  'ptx/grid-sync',
  'ptx/machine',
  'ptx/newest',
  'ptx/programs',
  'ptx/random',
  'ptx/truth',
  'schedule/convolutions',
  'schedule/everyday',
  'schedule/golden',
  'schedule/host-loops/blocked',
  'schedule/host-loops/regions',
  'schedule/host-loops/wavefront-tiles',
  'schedule/idioms/all-pairs',
  'schedule/idioms/butterflies',
  'schedule/idioms/forms',
  'schedule/idioms/recurrences',
  'schedule/idioms/semirings',
  'schedule/kernels/matrix-units',
  'schedule/kernels/persistent-grid',
  'schedule/kernels/products',
  'schedule/kernels/subwords',
  'schedule/kernels/windows',
  'schedule/programs',
  'schedule/random',
  'schedule/sketches',
  'schedule/spellings',
  'schedule/transform/independent-fission',
  'schedule/transform/loop-coalescing',
  'schedule/transform/scan-fission',
  'schedule/transform/wraparound-elimination',
  'simulate/again',
  'simulate/equivalence',
  'study/claims',
  'study/guide',
  'study/source-rows',
  'truth/record',
  'tune/metamorphic',
  'tune/parameters',
  'tune/texts',
  'tune/together',
  'wgsl/fuzz',
].map((name) => `test/${name}.test.ts`)

export default defineConfig({
  // What every pass leaves is verified (`src/ir/passes/run.ts`).
  define: { TESELA_VERIFY_EACH: 'true' },
  test: {
    testTimeout: 240_000,
    // Of two cores one would be left idle.
    maxWorkers: 2,
    pool: 'forks',
    // many small objects that live for a pass: room for them spares a twentieth of the processor time
    execArgv: ['--max-semi-space-size=64'],
    globalSetup: 'test/support/build.ts',
    // its files take up to half a minute on quiet cores
    reporters: ['default', ['./test/support/hanging-files.ts', { seconds: 600 }]],
    setupFiles: ['test/support/asserts.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
          exclude: [...alone, ...sweeps],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
