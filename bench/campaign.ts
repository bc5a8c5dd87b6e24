// In: the first seed, how many functions, where findings go, where to run, and on how many processes. Out: lines of
// figures, and a file for every random C function that gcc and Tesela's emitted WGSL or CUDA compute differently,
// crash on, refuse or do not end with. What `npm run test:long` does with a few seeds. On a machine with a device: WGSL
// through Dawn, CUDA through nvcc. Of several processes each takes a batch at a time, and is ended after a while.
//   npx tsx bench/campaign.ts 1 20000 out/campaign [wgsl,host [2]]
//   npx esbuild bench/campaign.ts --bundle --platform=node --format=esm --external:webgpu --external:koffi \
//     --external:esbuild --outfile=out/campaign.mjs      (there: node campaign.mjs 1 20000 OUT dawn,device 64)
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
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
const limitOf = (functions: number): number => 60 + 8 * functions
/** No batch starts after `LIMIT_S` seconds. */
const deadline = Date.now() + secondsFrom(process.env['LIMIT_S'], 1e6) * 1000
const isServing = process.argv[6] === 'serve'
const workers =
  process.argv[6] === undefined || isServing ? 0 : countFrom(process.argv[6], 1, 'the number of processes')
const batches = Array.from({ length: Math.ceil(count / batch) }, (_, i) => ({
  first: first + i * batch,
  count: Math.min(batch, count - i * batch),
}))
type Batch = (typeof batches)[number]

mkdirSync(folder, { recursive: true })
async function main(): Promise<never> {
  const tally = workers > 0 ? await inProcesses() : await here()
  console.log(tallyLine(tally))
  writeFileSync(join(folder, 'tally.json'), `${JSON.stringify(tally)}\n`)
  process.exit(tally.findings.some((f) => f.kind !== 'refused') ? 1 : 0)
}

function keep(findings: readonly Finding[]): void {
  for (const f of findings) {
    const why = f.why.split('\n')[0]
    console.log(`${f.kind} ${f.seed} call ${f.call} on ${f.on}: ${why}`)
    const text = `// call ${f.call} on ${f.on}: ${why}\n${randomFunction(f.seed).text}`
    writeFileSync(join(folder, `${f.kind}-${f.seed}.c`), text)
  }
}

/** Runs batches of functions in this process. */
async function runner(): Promise<(b: Batch, all: Tally) => Promise<void>> {
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
  return (b, all) =>
    campaign(
      Array.from({ length: b.count }, (_, i) => randomFunction(b.first + i)),
      options,
      all,
    )
}

async function here(): Promise<Tally> {
  const run = await runner()
  const all = emptyTally()
  for (const b of batches) {
    if (Date.now() >= deadline) break
    const before = all.findings.length
    await run(b, all)
    keep(all.findings.slice(before))
    console.log(tallyLine(all))
  }
  return all
}

/** What a process of `inProcesses` does: a batch for each message, until nobody listens. */
async function serve(): Promise<void> {
  const run = await runner()
  process.on('message', (b: Batch) => {
    const found = emptyTally()
    void run(b, found).then(() => process.send!(found)) // there is a parent
  })
  process.on('disconnect', () => process.exit(0))
  process.send!('ready')
}

async function inProcesses(): Promise<Tally> {
  const all = emptyTally()
  const waiting = [...batches]
  const work = async (_: unknown, number: number): Promise<void> => {
    const helper = new Helper(join(folder, `process-${number}`))
    for (let b = waiting.shift(); b && Date.now() < deadline; b = waiting.shift()) {
      const found = await inProcess(helper, b)
      add(all, found)
      keep(found.findings)
      if (all.functions % (4 * batch) < b.count) console.log(tallyLine(all))
    }
    helper.end()
  }
  await Promise.all(Array.from({ length: workers }, work))
  return all
}

/** Batches after which a process makes room for a new one: what drivers keep of programs ends with it. */
const mostBatches = 20
/** There are as many processes as processors: threads of the engine's own would only take turns with them. */
const engine = ['--single-threaded-gc', '--v8-pool-size=0', '--no-wasm-tier-up', '--min-semi-space-size=16']

/** A process that takes batches; a new one where it ended. */
class Helper {
  private child: ChildProcess | undefined
  private batches = 0

  constructor(private readonly folder: string) {}

  /** The batch's tally, or why there is none. */
  async run(b: Batch): Promise<Tally | { readonly code: number | null }> {
    const child = await this.ready()
    const found = await new Promise<Tally | { readonly code: number | null }>((done) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), limitOf(b.count) * 1000)
      const finish = (found: Tally | { readonly code: number | null }): void => {
        clearTimeout(timer)
        child.removeAllListeners()
        done(found)
      }
      child.once('message', (tally: Tally) => finish(tally))
      child.once('exit', (code) => finish({ code }))
      child.send(b)
    })
    if ('code' in found || ++this.batches >= mostBatches) this.end()
    return found
  }

  end(): void {
    this.child?.kill('SIGKILL')
    this.child = undefined
    this.batches = 0
    rmSync(this.folder, { recursive: true, force: true })
  }

  private async ready(): Promise<ChildProcess> {
    if (this.child) return this.child
    const args = [...process.execArgv, ...engine, process.argv[1]!, '1', '1', this.folder, where.join(','), 'serve']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.child = child
    await new Promise<void>((done, fail) => {
      child.once('message', () => done())
      child.once('exit', (code) => fail(new Error(`a process ends with ${String(code)} before its first batch`)))
    })
    child.removeAllListeners()
    return child
  }
}

/** A batch in another process; of one that is ended or crashes, its halves. */
async function inProcess(helper: Helper, b: Batch): Promise<Tally> {
  const found = await helper.run(b)
  if (!('code' in found)) return found
  if (b.count > 1) {
    const half = b.count >> 1
    const low = await inProcess(helper, { first: b.first, count: half })
    return add(low, await inProcess(helper, { first: b.first + half, count: b.count - half }))
  }
  const why = found.code === null ? `does not end in ${limitOf(1)} s` : `the process ends with ${String(found.code)}`
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

if (isServing) await serve()
else await main()
