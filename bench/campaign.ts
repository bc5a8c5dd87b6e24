// In: the first seed, how many functions, where findings go, where to run, and on how many processes. Out: lines of
// figures, and a file for every random C function that gcc and Tesela's emitted WGSL or CUDA compute differently,
// crash on, refuse or do not end with. What `npm run test:long` does with a few seeds. On a machine with a device: WGSL
// through Dawn, CUDA through nvcc. Of several processes each takes a batch at a time, and is ended after a while.
//   npx tsx bench/campaign.ts 1 20000 out/campaign [wgsl,host [2]]
//   npx esbuild bench/campaign.ts --bundle --platform=node --format=esm --external:webgpu --external:koffi \
//     --external:esbuild --outfile=out/campaign.mjs      (there: node campaign.mjs 1 20000 OUT dawn,device 64)
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parserFiles } from '../src/cli/files.ts'
import { campaign, emptyTally, tallyLine, type Finding, type Tally } from '../test/campaign/campaign.ts'
import { randomFunction } from '../test/campaign/random-function.ts'
import { openWebGpu } from '../src/run/index.ts'
import { swiftShaderGpu } from '../test/support/dawn.ts'
import { dawnForMeasuring } from '../src/tune/index.ts'
import { typeStripper } from '../test/campaign/strip.ts'
import { countFrom, secondsFrom, seedFrom } from './arguments.ts'

const first = seedFrom(process.argv[2], 1)
const count = countFrom(process.argv[3], 20000)
const folder = process.argv[4] ?? 'out/campaign'
const where = (process.argv[5] ?? 'wgsl,host').split(',')
const headers = resolve(dirname(fileURLToPath(import.meta.url)), '../test/campaign')
/** Functions that share a compiler's run. */
const batch = 25

/** Seconds after which a process with so many functions is ended. */
const limitOf = (functions: number): number => 90 + 12 * functions
/** No batch starts after `LIMIT_S` seconds. */
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 1e6) * 1000
const workers = process.argv[6] === undefined ? 0 : countFrom(process.argv[6], 1, 'the number of processes')
const batches = Array.from({ length: Math.ceil(count / batch) }, (_, i) => ({
  first: first + i * batch,
  count: Math.min(batch, count - i * batch),
}))
type Batch = (typeof batches)[number]

mkdirSync(folder, { recursive: true })
const tally = workers > 0 ? await inProcesses() : await here()
const { user, system } = process.cpuUsage()
console.log(`${tallyLine(tally)}; ${Math.round((user + system) / 1e6)} CPU s beside the compilers'`)
writeFileSync(join(folder, 'tally.json'), `${JSON.stringify(tally)}\n`)
process.exit(tally.findings.some((f) => f.kind !== 'refused') ? 1 : 0)

function keep(findings: readonly Finding[]): void {
  for (const f of findings) {
    const why = f.why.split('\n')[0]
    console.log(`${f.kind} ${f.seed} call ${f.call} on ${f.on}: ${why}`)
    const text = `// call ${f.call} on ${f.on}: ${why}\n${randomFunction(f.seed).text}`
    writeFileSync(join(folder, `${f.kind}-${f.seed}.c`), text)
  }
}

async function here(): Promise<Tally> {
  const webgpu = await (where.includes('wgsl')
    ? openWebGpu({ gpu: await swiftShaderGpu() })
    : where.includes('dawn')
      ? openWebGpu({ create: (await dawnForMeasuring())!.create }) // in Node there is one, or an error
      : undefined)
  // The wrappers are TypeScript; where nothing strips types the plans run the same texts.
  const javascript = where.includes('wgsl') ? await typeStripper() : undefined
  const cuda = (['host', 'device'] as const).filter((on) => where.includes(on))
  const work = join(folder, 'work')
  const options = { wasm: parserFiles(), folder: work, headers, webgpu, ...(javascript && { javascript }), cuda }
  const all = emptyTally()
  for (const b of batches) {
    if (Date.now() >= deadline) break
    const before = all.findings.length
    await campaign(
      Array.from({ length: b.count }, (_, i) => randomFunction(b.first + i)),
      options,
      all,
    )
    keep(all.findings.slice(before))
    console.log(tallyLine(all))
  }
  return all
}

async function inProcesses(): Promise<Tally> {
  const all = emptyTally()
  const waiting = [...batches]
  const work = async (): Promise<void> => {
    for (let b = waiting.shift(); b && Date.now() < deadline; b = waiting.shift()) {
      const found = await inProcess(b)
      add(all, found)
      keep(found.findings)
      if (all.functions % (10 * batch) < b.count) console.log(tallyLine(all))
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return all
}

/** A batch in a process of its own; of one that is ended or crashes, its halves. */
async function inProcess(b: Batch): Promise<Tally> {
  const own = join(folder, `batch-${b.first}-${b.count}`)
  const args = [...process.execArgv, process.argv[1]!, `${b.first}`, `${b.count}`, own, where.join(',')]
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, LIMIT_S: '1e6' } })
  const timer = setTimeout(() => child.kill('SIGKILL'), limitOf(b.count) * 1000)
  const code = await new Promise((done) => child.on('close', done))
  clearTimeout(timer)
  const written = join(own, 'tally.json')
  const found = existsSync(written) ? (JSON.parse(readFileSync(written, 'utf8')) as Tally) : undefined
  rmSync(own, { recursive: true, force: true })
  if (found) return found
  if (b.count > 1) {
    const half = b.count >> 1
    const low = await inProcess({ first: b.first, count: half })
    return add(low, await inProcess({ first: b.first + half, count: b.count - half }))
  }
  const why = code === null ? `does not end in ${limitOf(1)} s` : `the process ends with ${String(code)}`
  const fault: Finding = { seed: b.first, call: -1, on: 'compiler', kind: 'failed', why }
  return add(emptyTally(), { ...emptyTally(), functions: 1, findings: [fault] })
}

/** Adds what `other` counted to `all`. */
function add(all: Tally, other: Tally): Tally {
  for (const key of ['functions', 'accepted', 'undefinedCalls', 'unstable', 'open', 'numbers'] as const)
    all[key] += other[key]
  for (const on of ['wgsl', 'host', 'device'] as const) all.compared[on] += other.compared[on]
  all.findings.push(...other.findings)
  return all
}
