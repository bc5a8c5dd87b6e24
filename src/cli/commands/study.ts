// `tesela study`: an experiment of the sources, run again: predicted for any profile, measured where there is a device.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { fail } from '../../base/index.ts'
import { gpu, type GpuProfile } from '../../gpus/index.ts'
import { quantities, type Quantity, type StudyReport } from '../../ir/index.ts'
import { studyHtml, studyLines, studyListLines } from '../../report/index.ts'
import {
  experimentNamed,
  experiments,
  measureStudy,
  runStudy,
  studyReport,
  unitsOf,
  type Experiment,
} from '../../study/index.ts'
import { openMeasurer } from '../../tune/index.ts'
import { choicesOf, gpuNamed, htmlFile, storeName } from '../flags.ts'
import { checkFile, writeFiles } from '../outputs.ts'
import { progressOn, type Progress } from '../progress.ts'
import { pageLine, print, printJson, terminalOf } from '../terminal.ts'

interface Flags {
  readonly list?: true
  readonly gpu: readonly GpuProfile[]
  readonly measure?: 'webgpu'
  readonly plot?: readonly Quantity[]
  readonly store?: string
  readonly json?: true
  readonly html?: string
}

export function studyCommand(program: Command): void {
  program
    .command('study')
    .description('a performance study with figures: change one thing, see what memory and warps do')
    .argument('[name]', 'an experiment of --list')
    .option('--list', 'list the experiments')
    .addOption(
      new Option('--gpu <list>', 'GPUs to predict for, with commas')
        .argParser(profiles)
        .default([gpu('gt200'), gpu('h200')], 'gt200,h200'),
    )
    .addOption(new Option('--measure <device>', 'measure the same points on this machine').choices(['webgpu']))
    .addOption(
      new Option('--plot <list>', 'show these quantities of the experiment only').argParser(
        choicesOf<Quantity>(Object.keys(quantities) as Quantity[]),
      ),
    ) // the keys of a record
    .option('--store <store>', 'keep simulated points in a file or postgres://…, and use those it has', storeName)
    .option('--json', 'print tesela.study/1, or the list as JSON')
    .option('--html <file>', 'write the report as one page that draws it', htmlFile)
    .action((name: string | undefined, flags: Flags) => run(name, flags))
}

function profiles(text: string): readonly GpuProfile[] {
  const names = text
    .split(',')
    .map((n) => n.trim())
    .filter((n) => n !== '')
  if (names.length === 0) throw new InvalidArgumentError('It must name a GPU, or several with commas.')
  return [...new Set(names.map(gpuNamed))]
}

async function run(name: string | undefined, flags: Flags): Promise<void> {
  const { paint, columns } = terminalOf(process.stdout)
  if (flags.list) {
    if (name !== undefined || flags.html !== undefined)
      fail('study.list', '--list takes no experiment and writes no page')
    if (flags.json)
      return printJson(
        experiments.map(({ name: n, title, idea, sources, plots }) => ({ name: n, title, idea, sources, plots })),
      )
    return print(studyListLines(experiments, paint))
  }
  if (name === undefined)
    return fail('study.name', 'the name of an experiment is missing', undefined, 'tesela study --list shows them')
  if (flags.html !== undefined) checkFile(flags.html)
  const report = await studied(plotted(experimentNamed(name), flags.plot), flags)
  if (flags.html !== undefined) writeFiles({ [flags.html]: studyHtml(report) })
  if (flags.json) printJson(report)
  else print([...studyLines(report, paint, columns), ...pageLine(flags.html, paint)])
}

/** The experiment with the quantities asked for. */
function plotted(e: Experiment, wanted: readonly Quantity[] | undefined): Experiment {
  if (!wanted) return e
  const [first, ...rest] = e.plots.filter((q) => wanted.includes(q))
  return first
    ? { ...e, plots: [first, ...rest] }
    : fail('study.plot', `${e.name} does not plot ${wanted.join(' or ')}`, undefined, `it plots ${e.plots.join(', ')}`)
}

async function studied(e: Experiment, flags: Flags): Promise<StudyReport> {
  const progress = progressOn(process.stderr)
  const device = flags.measure ? await openMeasurer(flags.measure) : null
  try {
    const report = await predicted(e, flags, (p) => progress.show(p))
    return device ? await measureStudy(e, report, device, (p) => progress.show(p)) : report
  } finally {
    progress.clear()
    device?.close()
  }
}

async function predicted(e: Experiment, { gpu: gpus, store }: Flags, show: Progress['show']): Promise<StudyReport> {
  if (store === undefined) return runStudy(e, { gpus, progress: show })
  const units = unitsOf(e, gpus)
  const { keptPoints } = await import('../kept.ts')
  const points = await keptPoints(store, e, units, (done) => show({ stage: e.name, done, total: units.length }))
  return studyReport(e, gpus, points)
}
