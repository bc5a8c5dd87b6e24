// In: the points. Out: one JSON file for `bench/device/points.ts`: kernels as text, WGSL, CUDA and buffer sizes, so
// that the device needs neither a front end nor a simulator. Usage: npx tsx bench/model/prepare.ts TASKS.json
import { writeFileSync } from 'node:fs'
import { emitCuda } from '../../src/emit/index.ts'
import { printKernel } from '../../src/ir/index.ts'
import { caseOf, nameOf } from './kernel.ts'
import { points } from './points.ts'

const tasks = points.flatMap((point) => {
  try {
    const { text, wgsl, bytes } = caseOf(point)
    return [
      { point, kernel: printKernel(wgsl.kernel), entry: wgsl.entry, wgsl: text, cuda: emitCuda(wgsl.kernel), bytes },
    ]
  } catch (e) {
    console.error(nameOf(point), (e as Error).message)
    return []
  }
})
writeFileSync(process.argv[2] ?? 'tasks.json', JSON.stringify(tasks))
console.log(`${tasks.length} of ${points.length} points`)
