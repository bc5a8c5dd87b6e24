// What the devices of this machine make of every operation on floats, beside what the table of promises says: through
// Dawn as WGSL, and through NVRTC and the driver as CUDA. Out: a file of JSON with the largest error of each operation
// and every result beyond its promise (the first 20 of each), and a line each.
//   npx tsx bench/device/promises.ts OUT.json [webgpu,cuda]
import { writeFileSync } from 'node:fs'
import { emitPlan } from '../../src/emit/index.ts'
import { openMeasurer } from '../../src/tune/index.ts'
import { argumentPairs, floatOps, judgeAll, operationsPlan, type Judgement } from '../promises/operations.ts'

const [file = 'promises.json', which = 'webgpu,cuda'] = process.argv.slice(2)
/** Results beyond their promise that are kept of each operation. */
const mostKept = 20

interface Found {
  readonly on: string
  readonly device: string
  readonly rounded: boolean
  readonly operations: readonly Judgement[]
}

const shortened = (j: Judgement): Judgement => ({
  ...j,
  broken: j.broken.slice(0, mostKept),
  special: j.special.slice(0, mostKept),
})

async function ask(on: 'webgpu' | 'cuda', rounded: boolean): Promise<Found> {
  const measurer = await openMeasurer(on)
  const { x, y } = argumentPairs(),
    plan = emitPlan(operationsPlan(rounded), { targets: [measurer.target] })
  const o = new Float32Array(x.length * floatOps.length).fill(NaN)
  const arrays = await measurer.run(plan, { sizes: { n: x.length }, scalars: {} }, { x, y, o })
  const all = judgeAll(measurer.target, rounded, x, y, arrays['o'] ?? o)
  for (const j of all) {
    const first = j.broken[0]
    const words = first ? `${j.broken.length} BEYOND, first ${first.x}, ${first.y}: ${first.got} for ${first.want}` : ''
    console.log(`${on} ${rounded ? 'rounded' : 'plain'} ${j.op}: ${j.units.toFixed(2)} units of ${j.judged} ${words}`)
  }
  const found = { on, device: measurer.name, rounded, operations: all.map(shortened) }
  measurer.close()
  return found
}

const found: Found[] = []
const failures: string[] = []
for (const on of which.split(','))
  for (const rounded of [false, true]) {
    if (on !== 'webgpu' && on !== 'cuda') throw new Error(`${on} is none of webgpu, cuda`)
    try {
      found.push(await ask(on, rounded))
    } catch (e) {
      failures.push(`${on}: ${e instanceof Error ? e.message : String(e)}`)
    }
  }
writeFileSync(file, `${JSON.stringify({ schema: 'tesela.promises/1', found, failures }, null, 1)}\n`)
failures.forEach((f) => console.error(`NOT ASKED: ${f}`))
if (failures.length > 0 || found.some((f) => f.operations.some((j) => j.broken.length > 0))) process.exitCode = 1
