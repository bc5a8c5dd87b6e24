// `tesela store`: what is in a store, what two devices say of the same candidates, what goes, and tables in and out.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { fail } from '../../base/index.ts'
import { jobKey, recordsOfResult, parseJobResult } from '../../farm/index.ts'
import { duration, plural, printable, table, times } from '../../report/index.ts'
import {
  addLines,
  openStore,
  recordsOfTable,
  storeLines,
  tableOfReadings,
  type Newest,
  type RecordStore,
} from '../../store/index.ts'
import { wholeNumber } from '../flags.ts'
import { firstLine, linesOf, readSource } from '../files.ts'
import { compilerName } from '../job-tools.ts'
import { checkFile, writeFiles, writeLines } from '../outputs.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

/** Of tables and results of jobs, which are read as a whole. */
const mostBytes = 2 ** 30
/** Candidates that a comparison prints. */
const mostRows = 40

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
    .option('--program <name>', 'only this program, with all that is known of it: its name or its key')
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
  readonly program?: string
}

async function within(place: string, work: (store: RecordStore) => Promise<void>): Promise<void> {
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

async function list(store: RecordStore, { json }: { readonly json?: true }): Promise<void> {
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

async function show(store: RecordStore, key: string): Promise<void> {
  const found = await store.find(key)
  if (found.length === 0) fail('store.key', `there is no record whose key begins with ${key}`)
  printJson(found)
}

async function deviceNamed(store: RecordStore, text: string) {
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

/** The candidate of each program that takes least. */
function fastest(readings: Newest): ReadonlyMap<string, { readonly candidate: string; readonly ns: number }> {
  const best = new Map<string, { readonly candidate: string; readonly ns: number }>()
  for (const [candidate, { program, ns }] of readings)
    if (!(ns >= (best.get(program)?.ns ?? Infinity))) best.set(program, { candidate, ns })
  return best
}

async function diff(store: RecordStore, a: string, b: string, { json }: { readonly json?: true }): Promise<void> {
  const [one, other] = [await deviceNamed(store, a), await deviceNamed(store, b)]
  const [left, right] = (await store.newest([one.key, other.key])) as [Newest, Newest] // one for each
  const both = [...left].flatMap(([candidate, { program, ns }]) => {
    const otherNs = right.get(candidate)?.ns
    return otherNs === undefined ? [] : [{ candidate, program, ns, otherNs, apart: Math.abs(Math.log(otherNs / ns)) }]
  })
  const order = both.sort((x, y) => y.apart - x.apart || (x.candidate < y.candidate ? -1 : 1))
  const [bestLeft, bestRight] = [fastest(left), fastest(right)]
  const shared = [...bestLeft].filter(([program]) => bestRight.has(program))
  const differing = shared.filter(([program, { candidate }]) => bestRight.get(program)?.candidate !== candidate)
  const names = await store.programNames()
  const said = json ? order : order.slice(0, mostRows)
  const asked = json ? differing.flatMap(([p, { candidate }]) => [candidate, bestRight.get(p)!.candidate]) : []
  const choices = await store.choices([...said.map((x) => x.candidate), ...asked])
  const ranked = said.map(({ candidate, program, ns, otherNs }) => ({
    program: names.get(program) ?? program,
    choice: choices.get(candidate),
    ns,
    otherNs,
  }))
  if (json)
    return printJson({
      schema: 'tesela.store-diff/1',
      devices: [one, other],
      candidates: ranked,
      programs: shared.length,
      differing: differing.map(([program, { candidate }]) => ({
        program: names.get(program) ?? program,
        fastest: choices.get(candidate),
        otherFastest: choices.get(bestRight.get(program)!.candidate), // of a shared program
      })),
    })
  const { paint } = terminalOf(process.stdout)
  const rightly = (title: string) => ({ title, align: 'right' as const })
  print([
    `${plural(order.length, 'candidate')} on both; of ${plural(shared.length, 'program')} ` +
      `${differing.length} have another fastest candidate`,
    ...table(
      [
        { title: 'program' },
        { title: 'choice', most: 40 },
        rightly(printable(one.name).slice(0, 24)),
        rightly(printable(other.name).slice(0, 24)),
        rightly('times'),
      ],
      ranked.map((r) => [
        printable(r.program),
        printable(typeof r.choice === 'string' ? r.choice : JSON.stringify(r.choice)),
        duration(r.ns),
        duration(r.otherNs),
        times(r.otherNs / r.ns),
      ]),
      { paint },
    ),
    ...(order.length > mostRows ? [`  and ${order.length - mostRows} more`] : []),
  ])
}

async function prune(
  store: RecordStore,
  flags: { readonly before?: string; readonly keep?: number; readonly compiled?: true },
): Promise<void> {
  if (Object.keys(flags).length === 0)
    fail(
      'store.prune',
      'store prune must be told which records to delete',
      undefined,
      'give --before, --keep or --compiled',
    )
  const { compiled, ...rest } = flags
  const gone = await store.prune({ ...rest, ...(compiled && { compiler: compilerName() }) })
  print([`${plural(gone, 'record')} removed`])
}

async function exported(store: RecordStore, flags: ExportFlags): Promise<void> {
  if (flags.device !== undefined && !flags.t4) fail('store.export', '--device is for --t4')
  if (flags.program !== undefined && flags.t4) fail('store.export', '--program is for exports without --t4')
  if (flags.t4) {
    const text = JSON.stringify(await t4(store, flags.device), null, 2)
    return flags.o === undefined ? print([text]) : writeFiles({ [flags.o]: `${text}\n` })
  }
  const program = flags.program === undefined ? undefined : await programNamed(store, flags.program)
  if (flags.o !== undefined) checkFile(flags.o)
  await writeLines(flags.o, storeLines(store, program))
}

async function programNamed(store: RecordStore, text: string): Promise<string> {
  const all = [...(await store.programNames())]
  const found = all.filter(([key, name]) => name === text || (text.length >= 4 && key.startsWith(text)))
  const [first] = found
  if (first && found.length === 1) return first[0]
  const keys = found.slice(0, 10).map(([key, name]) => `${printable(name)} (${key.slice(0, 12)})`)
  return fail(
    'store.program',
    `${found.length === 0 ? 'no program' : 'more than one program'} is called '${text}'`,
    undefined,
    found.length === 0 ? 'tesela store list has their names' : `name one by its key: ${keys.join(', ')}`,
  )
}

async function t4(store: RecordStore, name: string | undefined) {
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
  store: RecordStore,
  file: string,
  { device, program }: { readonly device?: string; readonly program: string },
): Promise<void> {
  if (isExport(file)) return print([`${plural(await addLines(store, linesOf(file), file), 'record')} added`])
  const text = readSource(file, mostBytes)
  const result = parseJobResult(text)
  if (result) {
    const key = jobKey(result.job, result.compiler)
    if (key !== result.key) fail('store.import', `${file} is no result of the job that it names`)
    return print([`${plural(await store.add(recordsOfResult(result)), 'record')} added`])
  }
  const origin = device === undefined ? undefined : { device, program }
  const added = await store.add(recordsOfTable(jsonOf(text, file), file, origin))
  print([`${plural(added, 'record')} added`])
}

/** Whether the first line says that it is an export, which may be larger than texts that are read as a whole. */
const isExport = (file: string): boolean =>
  /^\s*\{\s*"schema"\s*:\s*"tesela\.store\/\d+"\s*\}\s*$/.test(firstLine(file))

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
