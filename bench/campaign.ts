// In: the first seed, how many functions, where findings go, and where to run. Out: lines of figures, and a file for
// every random C function that gcc and Tesela's emitted WGSL or CUDA compute differently, crash on or refuse. What
// `npm run test:long` does with a few seeds. On a machine with a device: WGSL through Dawn, CUDA through nvcc.
//   npx tsx bench/campaign.ts 1 20000 out/campaign [wgsl,host]
//   npx esbuild bench/campaign.ts --bundle --platform=node --format=esm --external:webgpu --external:koffi \
//     --external:esbuild --outfile=out/campaign.mjs      (there: node campaign.mjs 1 20000 OUT dawn,device)
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parserFiles } from '../src/cli/files.ts'
import { campaign, emptyTally, tallyLine } from '../test/campaign/campaign.ts'
import { randomFunction } from '../test/campaign/random-function.ts'
import { openWebGpu } from '../src/run/index.ts'
import { swiftShaderGpu } from '../test/support/dawn.ts'
import { dawn } from '../src/tune/index.ts'
import { typeStripper } from '../test/campaign/strip.ts'
import { countFrom, secondsFrom, seedFrom } from './arguments.ts'

const first = seedFrom(process.argv[2], 1)
const count = countFrom(process.argv[3], 20000)
const folder = process.argv[4] ?? 'out/campaign'
const where = (process.argv[5] ?? 'wgsl,host').split(',')
const headers = resolve(dirname(fileURLToPath(import.meta.url)), '../test/campaign')
/** Functions that share a compiler's run. */
const batch = 25

mkdirSync(folder, { recursive: true })
const webgpu = await (where.includes('wgsl')
  ? openWebGpu({ gpu: await swiftShaderGpu() })
  : where.includes('dawn')
    ? openWebGpu({ create: (await dawn())!.create }) // in Node there is one, or an error
    : undefined)
// The wrappers are TypeScript; where nothing strips types the plans run the same texts.
const javascript = where.includes('wgsl') ? await typeStripper() : undefined
const cuda = (['host', 'device'] as const).filter((on) => where.includes(on))
/** No batch starts after `LIMIT_S` seconds. */
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 1e6) * 1000
const tally = emptyTally()
let written = 0
for (let seed = first; seed < first + count && Date.now() < deadline; seed += batch) {
  const seeds = Array.from({ length: Math.min(batch, first + count - seed) }, (_, i) => seed + i)
  await campaign(
    seeds,
    { wasm: parserFiles(), folder: join(folder, 'work'), headers, webgpu, ...(javascript && { javascript }), cuda },
    tally,
  )
  for (const f of tally.findings.slice(written)) {
    console.log(`${f.kind} ${f.seed} call ${f.call} on ${f.on}: ${f.why.split('\n')[0]}`)
    writeFileSync(
      join(folder, `${f.kind}-${f.seed}.c`),
      `// call ${f.call} on ${f.on}: ${f.why.split('\n')[0]}\n${randomFunction(f.seed).text}`,
    )
  }
  written = tally.findings.length
  console.log(tallyLine(tally))
}
const { user, system } = process.cpuUsage()
console.log(`${tallyLine(tally)}; ${Math.round((user + system) / 1e6)} CPU s beside the compilers'`)
process.exit(tally.findings.some((f) => f.kind !== 'refused') ? 1 : 0)
