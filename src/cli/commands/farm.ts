// `tesela farm`: a server that leases jobs out of a store, workers, suites of jobs, and a look at it all.
import { randomBytes } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Option, type Command } from 'commander'
import { fail } from '../../base/index.ts'
import {
  jobFailureOf,
  FarmClient,
  queuedJob,
  kindsOfProcessor,
  readJob,
  runJob,
  serveFarm,
  serveSlot,
  Slot,
  stateLines,
  usualQuorum,
  workOn,
  type Job,
  type JobTools,
  type SlotResult,
} from '../../farm/index.ts'
import { plural, printable } from '../../report/index.ts'
import { openStore } from '../../store/index.ts'
import { farmAddress, farmToken, usualTokenFile } from '../farm-address.ts'
import { storeName, wholeNumber } from '../flags.ts'
import { Gate } from '../gate.ts'
import { compilerName, jobFiles, jobTools, readJson, slotTools } from '../job-tools.ts'
import { checkFolder, writeFiles } from '../outputs.ts'
import { progressOn } from '../progress.ts'
import { print, printJson } from '../terminal.ts'

/** Where a farm listens unless told otherwise; any free port will do. */
const usualPort = 7337
const usualUrl = `http://127.0.0.1:${usualPort}`

const url = (): Option => new Option('--url <url>', 'where the farm is').default(usualUrl)
const tokenFile = (): Option =>
  new Option('--token-file <file>', 'a file with the token; TESELA_FARM_TOKEN or ~/.config/tesela/farm-token without')

export function farmCommand(program: Command): void {
  const farm = program.command('farm').description('jobs shared out among processes and machines')
  farm
    .command('serve')
    .description('lease the jobs of a store to workers, until it is stopped')
    .requiredOption('--store <store>', 'a file, or postgres://…', storeName)
    .option('--host <address>', 'what to listen on; this machine alone without', '127.0.0.1')
    .option('--port <n>', 'which port; 0 takes any', wholeNumber(0, 65_535), usualPort)
    .option('--lease <seconds>', 'a worker that is not heard of for so long has lost its job', wholeNumber(1, 3600), 30)
    .option('--attempts <n>', 'a job that failed so often is given up', wholeNumber(1, 100), 5)
    .option('--quorum <n>', 'so many browsers of strangers must agree', wholeNumber(2, 100), usualQuorum.needed)
    .option(
      '--within <percent>',
      'times of browsers agree that differ by no more',
      wholeNumber(1, 1000),
      Math.round(100 * (usualQuorum.within - 1)),
    )
    .addOption(tokenFile())
    .action(serve)
  farm
    .command('work')
    .description('do jobs of a farm, until it is stopped')
    .addOption(url())
    .option('--slots <n>', 'processes for jobs without a device; as many as processors without', wholeNumber(0, 1024))
    .addOption(
      new Option('--device <device>', 'measure on this machine, in a process of its own').choices(['webgpu', 'cuda']),
    )
    .option('--name <name>', 'as the farm calls this worker', `${hostname()}-${process.pid}`)
    .option('--jobs <n>', 'end after so many jobs; those that are being done are ended', wholeNumber(1))
    .addOption(tokenFile())
    .action(work)
  farm
    .command('run')
    .description('do the jobs of a suite on a farm, and write their results')
    .argument('<suite.json>', 'tesela.suite/1: a list of jobs')
    .addOption(url())
    .option('-o <dir>', 'where the results go', 'out/suite')
    .option('--json', 'print all results')
    .addOption(tokenFile())
    .action(suite)
  farm
    .command('invite')
    .description('make a link by which a browser measures for a farm, and does nothing else')
    .addOption(url())
    .option('--device <words>', 'the kind of GPU, as its browser calls it: nvidia ampere')
    .option('--name <name>', 'what the link is called; a word of its own without')
    .option('--hours <n>', 'how long it is good', wholeNumber(1, 8784), 24)
    .option('--own', 'a browser of yours, whose readings count without those of others')
    .option('--revoke <name>', 'end the link of that name instead')
    .addOption(tokenFile())
    .action(invite)
  farm
    .command('status')
    .description('what a farm does')
    .addOption(url())
    .option('--watch', 'again every second')
    .option('--json', 'print it as JSON')
    .addOption(tokenFile())
    .action(status)
  farm.command('slot', { hidden: true }).action(slot)
}

/** Ends with the signal that asks for it. */
const stopped = (): Promise<void> =>
  new Promise((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })

interface ServeFlags {
  readonly store: string
  readonly host: string
  readonly port: number
  readonly lease: number
  readonly attempts: number
  readonly quorum: number
  readonly within: number
  readonly tokenFile?: string
}

async function serve(flags: ServeFlags): Promise<void> {
  const token = farmToken(flags.tokenFile, true)
  const store = await openStore(flags.store)
  const { host, port, lease, attempts } = flags
  const farm = await serveFarm(store, {
    token,
    host,
    port,
    queue: { leaseMs: 1000 * lease, attempts },
    quorum: { needed: flags.quorum, within: 1 + flags.within / 100 },
  })
  const where = flags.tokenFile ?? (process.env['TESELA_FARM_TOKEN'] ? 'TESELA_FARM_TOKEN' : usualTokenFile())
  print([`farm at ${farm.url}, jobs in ${printable(store.database.place)}, token in ${where}`])
  await stopped()
  await farm.close()
  await store.close()
}

interface WorkFlags {
  readonly url: string
  readonly slots?: number
  readonly device?: 'webgpu' | 'cuda'
  readonly name: string
  readonly jobs?: number
  readonly tokenFile?: string
}

async function work(flags: WorkFlags): Promise<void> {
  const client = new FarmClient(farmAddress(flags.url, flags.tokenFile))
  const slots = flags.slots ?? (flags.device === undefined ? availableParallelism() : 0)
  if (slots === 0 && flags.device === undefined)
    fail('farm.work', 'a worker without slots and without a device does nothing')
  let done = 0,
    over = false
  const isOver = (): boolean => over || done >= (flags.jobs ?? Infinity)
  const compiler = compilerName()
  const command = [process.execPath, ...process.execArgv, process.argv[1]!, 'farm', 'slot'] // a script is running
  const started: Slot[] = []
  const loop = (name: string, kinds: readonly string[]): Promise<void> => {
    const own = new Slot(command)
    started.push(own)
    const told = (line: string): void => {
      done++
      print([`${name} ${printable(line)}`])
    }
    return workOn({ client, name, compiler, kinds, run: (body) => own.run(body), isOver, told })
  }
  const loops = Array.from({ length: slots }, (_, i) => loop(`${flags.name}/${i}`, kindsOfProcessor))
  if (flags.device !== undefined) loops.push(loop(`${flags.name}/${flags.device}`, [`measure ${flags.device}`]))
  const stop = stopped().then(() => {
    over = true
  })
  try {
    await Promise.race([Promise.all(loops), stop])
  } finally {
    for (const own of started) own.close()
  }
}

async function slot(): Promise<void> {
  const tools = slotTools()
  await serveSlot(async (body) => {
    const outcome = await slotResult(body as Job, tools) // made by a client with `readJob`
    if ('why' in outcome) tools.closeDevices()
    return outcome
  })
}

async function slotResult(job: Job, tools: JobTools): Promise<SlotResult> {
  try {
    return { result: (await runJob(job, tools)).result }
  } catch (error) {
    return jobFailureOf(error)
  }
}

interface SuiteFlags {
  readonly url: string
  readonly o: string
  readonly json?: true
  readonly tokenFile?: string
}

async function suite(file: string, flags: SuiteFlags): Promise<void> {
  const client = new FarmClient(farmAddress(flags.url, flags.tokenFile))
  checkFolder(flags.o)
  const compiler = compilerName()
  const jobs = await jobsOf(file)
  const progress = progressOn(process.stderr)
  const queued = jobs.map((job) => queuedJob(job, compiler))
  let done = 0
  const outcomes = await client.run(queued, () => progress.show({ stage: 'farm', done: ++done, total: jobs.length }))
  progress.clear()
  const results = outcomes.map(({ key, state, why, worker, result }, i) => ({
    schema: 'tesela.result/1',
    key,
    compiler,
    job: jobs[i],
    ...(state === 'done' ? { result } : { failed: why, worker }),
  }))
  const width = String(results.length).length
  const name = (i: number): string => join(flags.o, `${String(i + 1).padStart(width, '0')}.result.json`)
  writeFiles(Object.fromEntries(results.map((r, i) => [name(i), `${JSON.stringify(r, null, 2)}\n`])))
  if (flags.json) printJson(results)
  else print([`${plural(results.length, 'result')} in ${flags.o}`])
  const dead = outcomes.filter((o) => o.state === 'dead')
  if (dead.length > 0)
    throw new Gate(
      [
        `tesela: ${plural(dead.length, 'job')} of ${jobs.length} given up`,
        ...dead.slice(0, 20).map((o) => `  ${o.key.slice(0, 12)} ${o.kind}: ${printable(o.why ?? '')}`),
      ].join('\n'),
    )
}

async function jobsOf(file: string): Promise<readonly Job[]> {
  const json = readJson(file, 2 ** 28) as { readonly schema?: unknown; readonly jobs?: unknown } | null // looked at
  if (json?.schema !== 'tesela.suite/1' || !Array.isArray(json.jobs) || json.jobs.length === 0)
    return fail('farm.suite', `${file} is no suite: { "schema": "tesela.suite/1", "jobs": [ … ] }`)
  const { wasm } = jobTools()
  const jobs: Job[] = []
  for (const job of json.jobs as readonly object[])
    jobs.push(await readJob({ schema: 'tesela.job/1', ...job }, jobFiles, dirname(file), wasm))
  return jobs
}

interface InviteFlags {
  readonly url: string
  readonly device?: string
  readonly name?: string
  readonly hours: number
  readonly own?: true
  readonly revoke?: string
  readonly tokenFile?: string
}

async function invite(flags: InviteFlags): Promise<void> {
  const client = new FarmClient({ ...farmAddress(flags.url, flags.tokenFile), patienceMs: 2000 })
  const { device, hours, own = false, revoke } = flags
  if ((device === undefined) === (revoke === undefined))
    fail('farm.invite', 'an invitation is made for a --device, or ended with --revoke')
  if (device === undefined) {
    await client.revoke(revoke!) // one of the two is there
    return print([`${printable(revoke!)} may not measure any more`])
  }
  const name = flags.name ?? `link-${randomBytes(3).toString('hex')}`
  const { token, expires } = await client.invite({ name, device, hours, own })
  const { protocol, hostname: host } = new URL(flags.url)
  const isSecure = protocol === 'https:' || /^(127\.|localhost$|\[::1\]$)/.test(host)
  print([
    `${flags.url.replace(/\/$/, '')}/measure#token=${token}`,
    `${name}: measures on '${printable(device)}' and does nothing else, until ${new Date(expires).toISOString()}`,
    ...(isSecure ? [] : ['browsers have WebGPU over https alone: give the address that speaks it with --url']),
  ])
}

interface StatusFlags {
  readonly url: string
  readonly watch?: true
  readonly json?: true
  readonly tokenFile?: string
}

async function status(flags: StatusFlags): Promise<void> {
  const client = new FarmClient({ ...farmAddress(flags.url, flags.tokenFile), patienceMs: 2000 })
  for (;;) {
    const state = await client.state()
    if (flags.json) printJson(state)
    else
      print([
        ...(flags.watch && process.stdout.isTTY ? ['\u001b[2J\u001b[H'] : []),
        ...stateLines(state).map(printable),
      ])
    if (!flags.watch) return
    await new Promise((done) => setTimeout(done, 1000))
  }
}
