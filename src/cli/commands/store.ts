// `tesela store`: what is in a store, what two devices say of the same candidates, what goes, and tables in and out.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { fail } from '../../base/index.ts'
import { jobKey, recordsOfResult, resultOf } from '../../farm/index.ts'
import { duration, percent, plural, printable, table, times } from '../../report/index.ts'
import {
  addLines,
  openStore,
  recordsOfTable,
  storeLines,
  tableOfReadings,
  type FullReading,
  type Store,
} from '../../store/index.ts'
import { wholeNumber } from '../flags.ts'
import { readSource } from '../files.ts'
import { compilerName } from '../job-tools.ts'
import { writeFiles } from '../outputs.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

const mostBytes = 2 ** 30

export function storeCommand(program: Command): void {
  const store = program.command('store').description('a store of results and readings: a file, or postgres://…')
  store
    .command('list')
    .description('devices, programs and how many records there are')
    .argument('<store>', 'a file, or postgres://…')
    .option('--json', 'print the list as JSON')
    .action((place: string, flags: { readonly json?: true }) => within(place, (s) => list(s, flags)))
  store
    .command('show')
    .description('records whose keys begin so')
    .argument('<store>')
    .argument('<key>', 'a key, or how it begins', keyText)
    .action((place: string, key: string) => within(place, (s) => show(s, key)))
  store
    .command('diff')
    .description('what two devices say of the same candidates, the most different first')
    .argument('<store>')
    .argument('<device>', 'its name, a part of it, or its key')
    .argument('<other>')
    .option('--json', 'print the differences as JSON')
    .action((place: string, a: string, b: string, flags: { readonly json?: true }) =>
      within(place, (s) => diff(s, a, b, flags)),
    )
  store
    .command('prune')
    .description('remove readings that are old or many, and results of other compilers')
    .argument('<store>')
    .option('--before <date>', 'readings that were taken before, in ISO 8601', dateText)
    .option('--keep <n>', 'keep so many readings of a candidate on a device, the newest', wholeNumber(1))
    .option('--compiled', 'remove what another version of the compiler computed')
    .action((place: string, flags: { readonly before?: string; readonly keep?: number; readonly compiled?: true }) =>
      within(place, (s) => prune(s, flags)),
    )
  store
    .command('export')
    .description('all of a store as lines of JSON, or the readings of a device as a table (T4)')
    .argument('<store>')
    .option('-o <file>', 'where it goes; to the output without')
    .addOption(new Option('--t4', 'the table of tuning results of one device'))
    .option('--device <name>', 'with --t4: the device, where there are several')
    .action((place: string, flags: ExportFlags) => within(place, (s) => exported(s, flags)))
  store
    .command('import')
    .description('add an export of a store, a table of tuning results (T4), or the result of a job')
    .argument('<store>')
    .argument('<file>')
    .option('--device <name>', 'for tables of other tuners: on what device they were measured')
    .option('--program <name>', 'for tables of other tuners: what was tuned', 'kernel')
    .action((place: string, file: string, flags: { readonly device?: string; readonly program: string }) =>
      within(place, (s) => imported(s, file, flags)),
    )
}

interface ExportFlags {
  readonly o?: string
  readonly t4?: true
  readonly device?: string
}

async function within(place: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(place)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

function keyText(text: string): string {
  if (!/^[\w-]{4,64}$/.test(text))
    throw new InvalidArgumentError('It must be a key, or at least its first four digits.')
  return text
}

function dateText(text: string): string {
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('It must be a date, as in 2026-01-31.')
  return date.toISOString()
}

async function list(store: Store, { json }: { readonly json?: true }): Promise<void> {
  const [counts, devices, programs] = [await store.counts(), await store.devices(), await store.programs()]
  if (json) return printJson({ schema: 'tesela.store-list/1', counts, devices, programs })
  const { paint } = terminalOf(process.stdout)
  const right = (title: string) => ({ title, align: 'right' as const })
  print([
    Object.entries(counts)
      .map(([name, n]) => `${n} ${name}`)
      .join(', '),
    ...(devices.length === 0 ? [] : ['']),
    ...table(
      [{ title: 'device' }, right('readings'), { title: 'last' }, { title: 'key' }],
      devices.map((d) => [printable(d.name), `${d.readings}`, d.last?.slice(0, 16) ?? '', d.key.slice(0, 12)]),
      { paint },
    ),
    ...(programs.length === 0 ? [] : ['']),
    ...table(
      [{ title: 'program' }, { title: 'in' }, right('candidates'), right('readings'), { title: 'key' }],
      programs.map((p) => [printable(p.name), p.language, `${p.candidates}`, `${p.readings}`, p.key.slice(0, 12)]),
      { paint },
    ),
  ])
}

async function show(store: Store, key: string): Promise<void> {
  const found = await store.find(key)
  if (found.length === 0) fail('store.key', `there is no record whose key begins with ${key}`)
  printJson(found)
}

async function deviceNamed(store: Store, text: string) {
  const devices = await store.devices()
  const found = devices.filter((d) => d.name === text || d.key.startsWith(text))
  const near = found.length > 0 ? found : devices.filter((d) => d.name.toLowerCase().includes(text.toLowerCase()))
  if (near.length === 1) return near[0]!
  const names = devices.map((d) => `${printable(d.name)} (${d.key.slice(0, 12)})`).join(', ') || 'none'
  return fail(
    'store.device',
    `${near.length === 0 ? 'no device' : 'more than one device'} is called '${text}'`,
    undefined,
    `there are ${names}`,
  )
}

/** The newest reading of each candidate. */
const newest = (readings: readonly FullReading[]): ReadonlyMap<string, FullReading> =>
  new Map(readings.map((r) => [r.candidate.key, r])) // they come oldest first

async function diff(store: Store, a: string, b: string, { json }: { readonly json?: true }): Promise<void> {
  const [one, other] = [await deviceNamed(store, a), await deviceNamed(store, b)]
  const [left, right] = [newest(await store.readings(one.key)), newest(await store.readings(other.key))]
  const both = [...left.values()].flatMap((l) => {
    const r = right.get(l.candidate.key)
    return r ? [{ program: l.program.name, choice: l.candidate.choice, ns: l.reading.ns, otherNs: r.reading.ns }] : []
  })
  const ranked = both.sort((x, y) => Math.abs(Math.log(y.otherNs / y.ns)) - Math.abs(Math.log(x.otherNs / x.ns)))
  const fastest = (of: ReadonlyMap<string, FullReading>): ReadonlyMap<string, FullReading> => {
    const best = new Map<string, FullReading>()
    for (const r of of.values())
      if (!(r.reading.ns >= (best.get(r.program.key)?.reading.ns ?? Infinity))) best.set(r.program.key, r)
    return best
  }
  const [bestLeft, bestRight] = [fastest(left), fastest(right)]
  const shared = [...bestLeft].filter(([key]) => bestRight.has(key))
  const differing = shared.filter(([key, r]) => bestRight.get(key)?.candidate.key !== r.candidate.key)
  if (json)
    return printJson({
      schema: 'tesela.store-diff/1',
      devices: [one, other],
      candidates: ranked,
      programs: shared.length,
      differing: differing.map(([key, r]) => ({
        program: r.program.name,
        fastest: r.candidate.choice,
        otherFastest: bestRight.get(key)?.candidate.choice,
      })),
    })
  const { paint } = terminalOf(process.stdout)
  const rightly = (title: string) => ({ title, align: 'right' as const })
  print([
    `${plural(ranked.length, 'candidate')} on both; of ${plural(shared.length, 'program')} ` +
      `${differing.length} have another fastest candidate`,
    ...table(
      [
        { title: 'program' },
        { title: 'choice', most: 40 },
        rightly(printable(one.name).slice(0, 24)),
        rightly(printable(other.name).slice(0, 24)),
        rightly('times'),
      ],
      ranked
        .slice(0, 40)
        .map((r) => [
          printable(r.program),
          printable(typeof r.choice === 'string' ? r.choice : JSON.stringify(r.choice)),
          duration(r.ns),
          duration(r.otherNs),
          times(r.otherNs / r.ns),
        ]),
      { paint },
    ),
    ...(ranked.length > 40 ? [`  and ${ranked.length - 40} more, of ${percent(40 / ranked.length)} shown`] : []),
  ])
}

async function prune(
  store: Store,
  flags: { readonly before?: string; readonly keep?: number; readonly compiled?: true },
): Promise<void> {
  if (Object.keys(flags).length === 0)
    fail('store.prune', 'nothing says what may go', undefined, 'give --before, --keep or --compiled')
  const { compiled, ...rest } = flags
  const gone = await store.prune({ ...rest, ...(compiled && { compiler: compilerName() }) })
  print([`${plural(gone, 'record')} removed`])
}

async function exported(store: Store, flags: ExportFlags): Promise<void> {
  if (flags.device !== undefined && !flags.t4) fail('store.export', '--device is for --t4')
  const lines: string[] = []
  if (flags.t4) lines.push(JSON.stringify(await t4(store, flags.device), null, 2))
  else for await (const line of storeLines(store)) lines.push(line)
  if (flags.o === undefined) print(lines)
  else writeFiles({ [flags.o]: `${lines.join('\n')}\n` })
}

async function t4(store: Store, name: string | undefined) {
  const devices = (await store.devices()).filter((d) => d.readings > 0)
  if (devices.length === 0) fail('store.export', 'there are no readings in this store')
  if (name === undefined && devices.length > 1)
    fail(
      'store.export',
      'a table is of one device, and this store has several',
      undefined,
      `name one with --device: ${devices.map((d) => printable(d.name)).join(', ')}`,
    )
  const device = name === undefined ? devices[0]! : await deviceNamed(store, name)
  return tableOfReadings(device, await store.readings(device.key))
}

async function imported(
  store: Store,
  file: string,
  { device, program }: { readonly device?: string; readonly program: string },
): Promise<void> {
  const text = readSource(file, mostBytes)
  const first = text.slice(0, text.indexOf('\n') + 1 || undefined)
  const isLines = /^\s*\{\s*"schema"\s*:\s*"tesela\.store\/\d+"\s*\}\s*$/.test(first)
  const result = isLines ? undefined : resultOf(text)
  if (result) {
    const key = jobKey(result.job, result.compiler)
    if (key !== result.key) fail('store.import', `${file} is no result of the job that it names`)
    return print([`${plural(await store.add(recordsOfResult(result)), 'record')} added`])
  }
  const added = isLines
    ? await addLines(store, text.split('\n'), file)
    : await store.add(recordsOfTable(jsonOf(text, file), file, device === undefined ? undefined : { device, program }))
  print([`${plural(added, 'record')} added`])
}

function jsonOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return fail(
      'store.import',
      `${file} is no export of a store, no table of tuning results (T4) and no result of a job`,
    )
  }
}
