// Which compositions of integer operations this machine's devices get wrong: through Dawn as WGSL, and through NVRTC
// and the driver as CUDA. Out: a line for every composition with a wrong result, with its first arguments, and how
// many results were compared.
//   npx tsx bench/device/compositions.ts [webgpu,cuda]
import { emitPlan } from '../../src/emit/index.ts'
import { openMeasurer, type Measurer } from '../../src/tune/index.ts'
import { hostArray } from '../../src/ir/index.ts'
import {
  compositions,
  compositionsPlan,
  elements,
  numbersOf,
  spelled,
  stored,
  valueOf,
} from '../promises/compositions.ts'

/** Asks one device everything. Returns how many results were compared and how many were wrong. */
async function ask(measurer: Measurer): Promise<{ readonly compared: number; readonly wrong: number }> {
  let compared = 0,
    wrong = 0
  for (const type of stored) {
    const x = numbersOf(type, elements + 1, 1),
      y = numbersOf('i32', elements, 2).map((v, i) => (i % 2 === 0 ? v : v % 256)),
      z = numbersOf('i32', elements, 3).map((v, i) => (i % 3 === 0 ? v : v % 256))
    const o = new Int32Array(elements * compositions.length).fill(0x5a5a5a5a)
    const held = hostArray(type, x.length)
    x.forEach((v, i) => (held[i] = v))
    const given = { x: held, y: Int32Array.from(y), z: Int32Array.from(z), o }
    const plan = emitPlan(compositionsPlan(type), { targets: [measurer.target] })
    const made = (await measurer.run(plan, { sizes: { n: elements }, scalars: {} }, given))['o'] ?? o
    compositions.forEach((c, k) => {
      let bad = 0,
        first = ''
      for (let i = 0; i < elements; i++) {
        const leaves = { x: x[i]!, next: x[i + 1]!, y: y[i]!, z: z[i]! },
          want = valueOf(c, leaves),
          got = Number(made[k * elements + i])
        compared++
        if (got === want) continue
        bad++
        first ||= `x ${leaves.x}, next ${leaves.next}, y ${leaves.y}, z ${leaves.z}: ${got} for ${want}`
      }
      wrong += bad
      if (bad > 0) console.log(`${measurer.name} ${type} ${spelled(c)}: ${bad} of ${elements} WRONG; ${first}`)
    })
  }
  return { compared, wrong }
}

let failures = 0
for (const on of (process.argv[2] ?? 'webgpu,cuda').split(',')) {
  const measurer = await openMeasurer(on === 'cuda' ? 'cuda' : 'webgpu')
  const { compared, wrong } = await ask(measurer)
  console.log(`${measurer.name}: ${compared} results of ${compositions.length} compositions compared, ${wrong} wrong`)
  failures += wrong
  measurer.close()
}
process.exit(failures > 0 ? 1 : 0)
