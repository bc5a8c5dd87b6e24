// Which compositions of integer operations this machine's devices get wrong: through Dawn as WGSL, and through NVRTC
// and the driver as CUDA. Out: a line for every composition with a wrong result, with its first arguments, and how
// many results were compared.
//   npx tsx bench/device/compositions.ts [webgpu,cuda [TYPE,...]]
import { emitPlan } from '../../src/emit/index.ts'
import { openMeasurer, type Measurer } from '../../src/tune/index.ts'
import { hostArray, type HostArray } from '../../src/ir/index.ts'
import {
  compositionsOf,
  compositionsPlan,
  elements,
  numbersOf,
  spelled,
  stored,
  valueOf,
  type Stored,
} from '../promises/compositions.ts'

/** Asks one device everything. Returns how many results were compared and how many were wrong. */
async function ask(
  measurer: Measurer,
  types: readonly Stored[],
): Promise<{ readonly compared: number; readonly wrong: number; readonly asked: number }> {
  let compared = 0,
    wrong = 0,
    asked = 0
  for (const type of types) {
    const compositions = compositionsOf(type),
      wide = type === 'u32' ? 'u32' : 'i32',
      x = numbersOf(type, elements + 1, 1),
      y = numbersOf(wide, elements, 2).map((v, i) => (i % 2 === 0 ? v : v % 256)),
      z = numbersOf(wide, elements, 3).map((v, i) => (i % 3 === 0 ? v : v % 256))
    const held = (of: typeof type, values: readonly number[]): HostArray => {
      const array = hostArray(of, values.length)
      values.forEach((v, i) => (array[i] = v))
      return array
    }
    const o = hostArray(wide, elements * compositions.length).fill(0x5a5a5a5a as never)
    const given = { x: held(type, x), y: held(wide, y), z: held(wide, z), o }
    const plan = emitPlan(compositionsPlan(type), { targets: [measurer.target] })
    const made = (await measurer.run(plan, { sizes: { n: elements }, scalars: {} }, given))['o'] ?? o
    asked += compositions.length
    compositions.forEach((c, k) => {
      let bad = 0,
        first = ''
      for (let i = 0; i < elements; i++) {
        const leaves = { x: x[i]!, next: x[i + 1]!, y: y[i]!, z: z[i]! },
          want = valueOf(c, type, leaves),
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
  return { compared, wrong, asked }
}

const types = stored.filter((t) => !process.argv[3] || process.argv[3].split(',').includes(t))
if (types.length === 0) throw new Error(`no type of ${stored.join(', ')} is named`)
let failures = 0
for (const on of (process.argv[2] ?? 'webgpu,cuda').split(',')) {
  const measurer = await openMeasurer(on === 'cuda' ? 'cuda' : 'webgpu')
  const { compared, wrong, asked } = await ask(measurer, types)
  console.log(`${measurer.name}: ${compared} results of ${asked} compositions compared, ${wrong} wrong`)
  failures += wrong
  measurer.close()
}
process.exit(failures > 0 ? 1 : 0)
