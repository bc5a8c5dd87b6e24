// One million small operations in a loop: neither memory nor time per operation may grow. On the device that npm's
// webgpu finds (in the tests' SwiftShader with LD_LIBRARY_PATH and VK_ICD_FILENAMES as test/cli/measure.test.ts has
// them):
//   npx tsx bench/soak.ts [OPERATIONS [OUT.json]]
import { writeFileSync } from 'node:fs'
import { open } from '../src/kernels/index.ts'
import { countFrom } from './arguments.ts'

const operations = countFrom(process.argv[2], 1e6, 'the number of operations')
const out = process.argv[3]
using gpu = await open({ store: null })
using x = gpu.tensor(
  Float32Array.from({ length: 64 }, (_, i) => Math.sin(i)),
  [8, 8],
)
const part = operations / 10,
  rows: object[] = []
for (let done = 0, i = 0; done < operations; ) {
  const cpu = process.cpuUsage(),
    start = performance.now()
  for (const end = done + part; done < end; done += 2, i++) {
    using y = gpu.map('a * x + 1', { a: i % 1000, x })
    using z = gpu.sum(y, { axes: 0 })
    if (i % 500 !== 499) continue
    const got = (await z.read())[0]!,
      want = Array.from({ length: 8 }, (_, r) => (i % 1000) * Math.sin(8 * r) + 1).reduce((s, v) => s + v, 0)
    if (!(Math.abs(got - want) <= 1e-5 * (1 + Math.abs(i % 1000) * 8)))
      throw new Error(`operation ${done}: ${got} must be ${want}`)
  }
  await gpu.sync()
  const { user, system } = process.cpuUsage(cpu),
    memory = process.memoryUsage(),
    { created, freeBytes, pipelines } = gpu.core.statistics
  rows.push({
    operations: Math.round(done),
    cpuMicrosecondsEach: (user + system) / part,
    wallMicrosecondsEach: ((performance.now() - start) * 1000) / part,
    rssMB: memory.rss / 2 ** 20,
    heapMB: memory.heapUsed / 2 ** 20,
    created,
    freeBytes,
    pipelines,
  })
  console.log(JSON.stringify(rows.at(-1)))
}
if (out)
  writeFileSync(
    out,
    JSON.stringify(
      {
        provenance: {
          device: gpu.core.info?.description,
          what:
            'ten parts of a million small operations: a map and a sum of 64 elements by turns, read and ' +
            'compared every 500 pairs',
          made: 'bench/soak.ts',
        },
        rows,
      },
      null,
      1,
    ),
  )
