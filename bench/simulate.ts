// In: nothing. Out: CPU seconds and thread instructions per second of the simulator on the kernels that the project
// promises speed for, with all counting on. Each case compiles and runs everything; results are checked.
import { gpu } from '../src/gpus/index.ts'
import type { Kernel, Launch, Verified } from '../src/ir/index.ts'
import { compileKernel } from '../src/simulate/index.ts'
import { naiveMatmul, registerTiled, tiledMatmul, treeSum } from '../test/support/kernels.ts'

interface Case {
  readonly name: string
  readonly kernel: Verified<Kernel>
  readonly launch: Launch
  readonly check: (l: Launch) => number
}

const n = 256
function matrix(f: (i: number) => number): ArrayBuffer {
  return Float32Array.from({ length: n * n }, (_, i) => f(i)).buffer
}
function matmul(name: string, kernel: Verified<Kernel>, gx: number, gy: number): Case {
  const buffers = { A: matrix((i) => (i % 7) - 3), B: matrix((i) => (i % 5) - 2), C: matrix(() => NaN) }
  return { name, kernel, launch: { grid: [gx, gy, 1], params: { n }, buffers }, check: matmulError }
}
function matmulError({ buffers }: Launch): number {
  const [A, B, C] = [new Float32Array(buffers.A!), new Float32Array(buffers.B!), new Float32Array(buffers.C!)]
  let worst = 0
  for (let i = 0; i < n; i += 17)
    for (let j = 0; j < n; j += 13) {
      let sum = 0
      for (let k = 0; k < n; k++) sum += A[i * n + k]! * B[k * n + j]!
      const error = Math.abs(sum - C[i * n + j]!)
      worst = error <= worst ? worst : error
    }
  return worst
}
const million = 1 << 20
const sum: Case = {
  name: 'tree sum of 1 M',
  kernel: treeSum(),
  launch: {
    grid: [million / 512, 1, 1],
    params: { n: million },
    buffers: { x: new Float32Array(million).fill(0.5).buffer, out: new ArrayBuffer(4 * (million / 512)) },
  },
  check: ({ buffers }) => Math.abs(new Float32Array(buffers.out!).reduce((a, b) => a + b, 0) - million / 2),
}

const profile = gpu('h200')
const cases = [
  matmul('naive matmul 256³', naiveMatmul(), 16, 16),
  matmul('tiled matmul 256³', tiledMatmul(), 16, 16),
  sum,
  matmul('8×8 registers 256³', registerTiled(8, 8), 2, 2),
  matmul('16×8 registers 256³', registerTiled(16, 8), 2, 1),
]
for (const c of cases) {
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage()
    const start = performance.now()
    const simulation = compileKernel(c.kernel, profile)
    const compiled = performance.now() - start
    const { counters } = simulation.run(c.launch, { exact: true })
    const wall = performance.now() - start
    const { user, system } = process.cpuUsage(before)
    const seconds = (user + system) / 1e6
    console.log(
      `${c.name.padEnd(20)} ${seconds.toFixed(3)} CPU s (wall ${(wall / 1000).toFixed(3)}, compile ` +
        `${(compiled / 1000).toFixed(3)}), ${(counters.instructions.thread / 1e6).toFixed(0)} M thread ` +
        `instructions, ${(counters.instructions.thread / seconds / 1e9).toFixed(2)} G/s, error ` +
        `${c.check(c.launch)}, hazards ${counters.hazards.length}`,
    )
  }
}
