// `tesela bench`: the library on this device, next to its roofline and to what the model says; with `--tune`, first the
// plans that are fastest here are found and kept.
import { Option, type Command } from 'commander'
import type { GpuProfile } from '../../gpus/index.ts'
import {
  bench,
  connect,
  restore,
  storeHere,
  tune,
  useTables,
  type BenchReport,
  type BenchRow,
  type TuneReport,
  type TuningTable,
} from '../../kernels/index.ts'
import { duration, paragraph, percent, plural, printable, table, times, type Paint } from '../../report/index.ts'
import { dawnForMeasuring } from '../../tune/index.ts'
import { openStore, recordsOfTable, tableOfReadings, type RecordStore } from '../../store/index.ts'
import { gpuNamed, namesStore, wholeNumber } from '../flags.ts'
import { progressOn } from '../progress.ts'
import { print, printJson, terminalOf } from '../terminal.ts'

interface Flags {
  readonly tune?: true
  readonly again?: true
  readonly seconds?: number
  readonly store?: string
  readonly gpu?: GpuProfile
  readonly json?: true
}

export function benchCommand(program: Command): void {
  program
    .command('bench')
    .description('the library on this device, next to its roofline and the prediction')
    .argument('[names...]', 'beginnings of cases: matmul, "sum rows", conv2d …; all without')
    .addOption(
      new Option('--measure <device>', 'what to measure on; webgpu is what the library runs on')
        .choices(['webgpu'])
        .default('webgpu'),
    )
    .option('--tune', 'first find the plans that are fastest here, and keep them')
    .option('--again', 'with --tune: also measure what is known already')
    .addOption(
      new Option('--seconds <n>', 'begin no case after so many seconds; with --tune, of tuning').argParser(
        wholeNumber(1),
      ),
    )
    .option(
      '--store <place>',
      'a folder for tuned choices (~/.cache/tesela without), or a store: FILE.db, postgres://…',
    )
    .addOption(new Option('--gpu <name>', 'the profile to predict for; that of the device without').argParser(gpuNamed))
    .option('--json', 'print tesela.bench/1')
    .action((names: readonly string[], flags: Flags) => run(names, flags))
}

async function run(names: readonly string[], flags: Flags): Promise<void> {
  const progress = progressOn(process.stderr),
    shared = flags.store !== undefined && namesStore(flags.store) ? await openStore(flags.store) : null,
    store = shared ? null : await storeHere(flags.store),
    found = await dawnForMeasuring()
  const core = await connect(found ? { gpu: found.create([...found.toggles]) } : {})
  const options = {
    ...(names.length > 0 && { only: names }),
    ...(flags.seconds && { seconds: flags.seconds }),
    onProgress: (p: Parameters<typeof progress.show>[0]) => progress.show(p),
  }
  try {
    await restore(core, store)
    if (shared) useTables(core, await tablesIn(shared))
    const tuned = flags.tune ? await tune(core, { ...options, store, again: flags.again ?? false }) : null
    if (tuned) await shared?.add(recordsOfTable(tuned.table, 'the table'))
    const report = await bench(core, { ...options, ...(flags.gpu && { predict: flags.gpu.name }) })
    progress.clear()
    if (flags.json) return printJson({ schema: 'tesela.bench/1', ...report, tune: tuned })
    const { paint, columns } = terminalOf(process.stdout)
    print([...(tuned ? [...tuneLines(tuned, paint, columns), ''] : []), ...benchLines(report, paint, columns)])
  } finally {
    progress.clear()
    core.close()
    await shared?.close()
  }
}

/** What every device of a store has measured of the library. */
async function tablesIn(store: RecordStore): Promise<readonly TuningTable[]> {
  const devices = (await store.devices()).filter((d) => d.readings > 0)
  const tables: TuningTable[] = []
  for (const device of devices) tables.push(tableOfReadings(device, await store.readings(device.key)))
  return tables
}

function tuneLines(r: TuneReport, paint: Paint, columns: number): string[] {
  const rows = r.entries.map((e) => [
    e.case,
    e.otherwise || 'walking',
    e.choice || 'walking',
    duration(e.ns),
    times(e.otherwiseNs / e.ns),
    `${e.candidates.filter((c) => c.wrong === undefined).length} of ${e.candidates.length}`,
  ])
  const right = (title: string) => ({ title, align: 'right' as const })
  return [
    paint.bold('Tuning'),
    ...table(
      [
        { title: 'case' },
        { title: 'untuned' },
        { title: 'fastest' },
        right('time'),
        right('gain'),
        right('right\nand tried'),
      ],
      rows,
      { paint },
    ),
    ...paragraph(
      '  ',
      `${plural(r.entries.length, 'choice')} measured in ${r.seconds.toFixed(1)} s` +
        `${r.place ? `, kept in ${printable(r.place)}` : ''}` +
        `${r.left > 0 ? `; ${plural(r.left, 'case')} left for the next time` : ''}`,
      columns,
    ),
  ]
}

function benchLines(r: BenchReport, paint: Paint, columns: number): string[] {
  const right = (title: string) => ({ title, align: 'right' as const })
  const heads = [
    { title: 'case' },
    right('time'),
    right('rate'),
    right('of the\nroofline'),
    right('predicted'),
    right('off by'),
    { title: 'kernels', most: 44 },
  ]
  const timer =
    r.timer === 'timestamps' ? `timestamps of ${duration(r.quantumNs)}` : `the host's clock, ${duration(r.quantumNs)}`
  const tuned = r.tuned === 0 ? 'no choice is tuned: the model chooses' : `${plural(r.tuned, 'choice')} tuned`
  const predicted = r.predictedFor ? `; predicted for ${r.predictedFor}` : ''
  return [
    `${paint.bold(printable(r.device))}   ${timer}; ${tuned}${predicted}`,
    '',
    ...table(heads, r.rows.map(cells), { paint }),
    ...r.rows.flatMap((row) =>
      row.wrong === null ? [] : paragraph(`  ${paint.red('wrong')} `, `${row.name}: ${printable(row.wrong)}`, columns),
    ),
    ...(r.left > 0 ? ['', `  no time for ${plural(r.left, 'case')}`] : []),
  ]
}

function cells({ name, ns, flop, bytes, boundNs, predictedNs, kernels }: BenchRow): string[] {
  if (ns === null) return [name, 'wrong']
  const rate = flop > 8 * bytes ? `${(flop / ns / 1000).toPrecision(3)} TFLOP/s` : `${(bytes / ns).toPrecision(3)} GB/s`
  return [
    name,
    duration(ns),
    rate,
    boundNs === null ? '' : percent(boundNs / ns),
    predictedNs === null ? '' : duration(predictedNs),
    predictedNs === null ? '' : percent(predictedNs / ns - 1),
    kernels.join(', '),
  ]
}
