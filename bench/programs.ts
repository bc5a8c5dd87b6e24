// In: the first seed, how many programs, and where findings go. Out: every random affine program whose kernels do not
// give the reference's results in the simulator, into a file each, and lines of figures. What `npm test` does with 500
// seeds: three of eight any affine program, one planned for large sizes, one in a shape that schedules are made for,
// one that walks along rows or columns, one a sum over pairs, one in steps that double.
//   npx tsx bench/programs.ts 1000 50000 FOLDER
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  tryLarge,
  tryPairs,
  tryProgram,
  tryShaped,
  tryStaged,
  tryWalking,
} from '../test/schedule/generators/random-affine.ts'
import { countFrom, seedFrom } from './arguments.ts'

const first = seedFrom(process.argv[2], 1000)
const count = countFrom(process.argv[3], 50000)
const folder = process.argv[4] ?? 'out/programs'
const kinds = {
  affine: tryProgram,
  large: tryLarge,
  shaped: tryShaped,
  walking: tryWalking,
  pairs: tryPairs,
  staged: tryStaged,
}
const turns = ['affine', 'affine', 'affine', 'large', 'shaped', 'walking', 'pairs', 'staged'] as const

mkdirSync(folder, { recursive: true })
const outcomes = { same: 0, large: 0, different: 0 },
  sketches = new Map<string, number>()
let hosts = 0

function attempt(seed: number): void {
  const kind = turns[seed % turns.length]!
  let found: string | undefined
  try {
    const { outcome, sketches: met, host } = kinds[kind](seed)
    for (const s of new Set(met)) sketches.set(s, (sketches.get(s) ?? 0) + 1)
    if (host) hosts++
    if (typeof outcome === 'string') outcomes[outcome]++
    else found = `${outcome.why}\n\n${outcome.program}\n${JSON.stringify(outcome.points)}`
  } catch (e) {
    found = e instanceof Error ? (e.stack ?? e.message) : String(e)
  }
  if (found === undefined) return
  outcomes.different++
  writeFileSync(join(folder, `${kind}-${seed}.txt`), found)
  console.log(`${kind} ${seed}: ${found.split('\n')[0]}`)
}

function figures(): string {
  const { user, system } = process.cpuUsage()
  return (
    `${outcomes.same} the same, ${outcomes.large} left out (values beyond what f32 holds exactly, too much ` +
    `work), ${outcomes.different} different, ${hosts} with loops on the host; ` +
    `${Math.round((user + system) / 1e6)} CPU s`
  )
}

for (let seed = first; seed < first + count; seed++) {
  attempt(seed)
  if ((seed - first + 1) % 1000 === 0) console.log(`${seed - first + 1} programs: ${figures()}`)
}
console.log(`${count} programs from seed ${first}: ${figures()}`)
console.log(
  [...sketches]
    .sort((a, b) => b[1] - a[1])
    .map(([name, n]) => `${name} ${n}`)
    .join(', '),
)
if (outcomes.same === 0) console.log('nothing was compared')
process.exit(outcomes.different > 0 || outcomes.same === 0 ? 1 : 0)
