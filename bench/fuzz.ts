// In: the first seed and how many. Out: every generated program that the simulator and SwiftShader run differently,
// into a file each, and one line of figures. What `npm test` does with 300 seeds.
//   npx tsx bench/fuzz.ts 1000 20000 FOLDER
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuzzOne } from '../test/wgsl/fuzz-one.ts'
import { countFrom, seedFrom } from './arguments.ts'

const first = seedFrom(process.argv[2], 1000)
const count = countFrom(process.argv[3], 20000)
const folder = process.argv[4] ?? 'out/fuzz'
mkdirSync(folder, { recursive: true })
const start = performance.now()
const different: number[] = []
let compared = 0
for (let seed = first; seed < first + count; seed++) {
  const found = await fuzzOne(seed).catch((e: unknown) => String(e))
  compared++
  if (found !== null) {
    different.push(seed)
    writeFileSync(join(folder, `${seed}.txt`), found)
    console.log(`seed ${seed}: ${found.split('\n')[0]}`)
  }
  if ((seed - first + 1) % 1000 === 0)
    console.log(
      `${seed - first + 1} programs, ${different.length} different, ` +
        `${Math.round((performance.now() - start) / 1000)} s`,
    )
}
console.log(`${compared} programs compared from seed ${first}: ${different.length} different`)
process.exit(different.length > 0 ? 1 : 0)
