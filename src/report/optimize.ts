// In: what `optimize` found. Out: the terminal report, top to bottom: what the source says, the ladder, the kernels,
// the proof, the files, and where each number comes from. The JSON is in `json.ts`. Nothing is computed here but gains.
import type { GpuProfile } from '../gpus/index.ts'
import { needsBeyond, needsWords, runsOn, type PassTrace, type Plan } from '../ir/index.ts'
import { fidelityOf } from '../model/index.ts'
import type { LadderRow, Optimized, OptimizedKernel } from '../tune/index.ts'
import { plain, type Paint } from './paint.ts'
import { runsWhere, sourceFacts, type SourceFacts } from './source.ts'
import { paragraph, table, type Column } from './table.ts'
import { conditionWords, sizesText, type OutputFile } from './variants.ts'
import { amount, digits, duration, error, grouped, list, percent, plural, times } from './words.ts'

export interface OptimizeReport {
  readonly result: Optimized
  readonly gpu: GpuProfile
  /** The source file as it was named. */
  readonly file: string
  readonly files: readonly OutputFile[]
  /** Where they were written. */
  readonly folder: string
  /** What passes did. */
  readonly trace?: PassTrace
}

/** The report, one string per line, at most `columns` wide where words can be broken. */
export function optimizeLines(report: OptimizeReport, paint: Paint = plain, columns = 110): string[] {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', paint.bold(paint.cyan(title)), ...lines]
  return [
    ...heading(report, paint),
    ...section('What the source says', sourceLines(report, paint, columns)),
    ...section('From plain to fast', ladderLines(report, paint, columns)),
    ...section('How fast it could be', boundLines(report.result, paint, columns)),
    ...section(
      report.result.kernels.length > 1 ? 'The kernels' : 'The kernel',
      kernelLines(report.result, paint, columns),
    ),
    ...section('Other shapes of the data', shapeLines(report.result, columns)),
    ...section('Proof', proofLines(report, paint, columns)),
    ...section('Files', fileLines(report, paint, columns)),
    ...section('Where the numbers come from', originLines(report, paint, columns)),
  ]
}

function heading({ result, gpu, file }: OptimizeReport, paint: Paint): string[] {
  const { program } = result
  const sizes = program.sizes.map((s) => `${s.name} = ${grouped(s.planned)}`).join(', ')
  return [
    `${paint.bold(program.name)} from ${file}${program.at ? `:${program.at.line}` : ''}, for ` +
      `${paint.bold(gpu.title)}${sizes ? ` at ${sizes}` : ''}`,
  ]
}

// ── source ────────────────────────────────────────────────────────────────────────────────────────────────────────

function sourceLines({ result }: OptimizeReport, paint: Paint, columns: number): string[] {
  const facts = sourceFacts(result.program, result)
  if (typeof facts === 'string') return paragraph('  ', `Not analysed for this report: ${facts}.`, columns)
  const nests = facts.nests.flatMap((n) =>
    paragraph(`  ${paint.dim(lineText(n.line))} ${paint.bold(n.kind)}${n.reuse ? ': ' : ''}`, n.reuse, columns),
  )
  return [
    ...nests,
    ...loopTable(facts, result, paint),
    ...(result.program.notes ?? []).flatMap((n) => paragraph(`  ${paint.dim('note')} `, n, columns)),
  ]
}

const lineText = (line: number | null): string => (line === null ? '' : `line ${line}`)

function loopTable(facts: SourceFacts, result: Optimized, paint: Paint): string[] {
  const colours = { parallel: paint.green, reduction: paint.yellow, sequential: paint.red }
  const rows = facts.loops.map((l) => [
    paint.dim(lineText(l.line)),
    `${'  '.repeat(l.depth)}for ${l.name}`,
    colours[l.kind](l.kind),
    [l.why, l.kind === 'parallel' ? undefined : runsWhere(l, result)].filter((x) => x).join('; '),
  ])
  return table([{ title: '', align: 'right' }, { title: '' }, { title: '' }, { title: '', most: 70 }], rows)
}

// ── ladder ────────────────────────────────────────────────────────────────────────────────────────────────────────

function ladderLines({ result, gpu }: OptimizeReport, paint: Paint, width: number): string[] {
  const measured = result.ladder.some((r) => r.measured !== null)
  const right = (title: string): Column => ({ title, align: 'right' })
  const columns = [
    right(''),
    { title: 'step', most: Math.max(24, width - (measured ? 84 : 74)) },
    right('sectors/\nrequest'),
    right('bank\nconflicts'),
    right('occu-\npancy'),
    right('registers'),
    right('thread\ninstr.'),
    { title: 'bound\nby' },
    right('predicted'),
    ...(measured ? [right('measured')] : []),
    right('gain'),
  ]
  const rows = result.ladder.map((r, i) => [String(i + 1), ...rung(r, result.ladder[0], measured, paint)])
  return [
    ...table(columns, [...rows, ...chosenRow(result, measured, paint)], { paint }),
    ...result.ladder.flatMap((r, i) =>
      r.refused === null
        ? []
        : paragraph(`  ${paint.red('refused')} `, `step ${i + 1}: ${gpu.title} cannot start it: ${r.refused}`, width),
    ),
  ]
}

const timeOf = (r: LadderRow, measured: boolean): number | null =>
  (measured ? r.measured?.ns : r.prediction?.ns) ?? null

function rung(r: LadderRow, first: LadderRow | undefined, measured: boolean, paint: Paint): string[] {
  const excess = r.sharedWavefrontExcess
  return [
    r.step,
    digits(r.sectorsPerRequest),
    excess > 0.1 ? paint.yellow(`+${percent(excess)}`) : excess >= 0.005 ? `+${percent(excess)}` : '0 %',
    percent(r.occupancy),
    String(r.registers),
    `${r.scaled ? '≈ ' : ''}${amount(r.threadInstructions)}`,
    r.prediction?.boundBy ?? '',
    r.prediction ? duration(r.prediction.ns) : paint.red('refused'),
    ...(measured ? [r.measured ? duration(r.measured.ns) : '–'] : []),
    gainOf(timeOf(r, measured), first, measured, paint),
  ]
}

function gainOf(ns: number | null, first: LadderRow | undefined, measured: boolean, paint: Paint): string {
  const base = first && timeOf(first, measured)
  if (!base || ns === null) return '–'
  const gain = base / ns
  return gain >= 1.05 ? paint.green(times(gain)) : times(gain)
}

/** What the search chose, under the ladder: its times are sums over its kernels. */
function chosenRow({ kernels, ladder, measured: timing }: Optimized, measured: boolean, paint: Paint): string[][] {
  const main = kernels.reduce<OptimizedKernel | undefined>(
    (a, b) => (a && a.prediction.ns >= b.prediction.ns ? a : b),
    undefined,
  )
  if (!main) return []
  const predicted = kernels.reduce((n, k) => n + k.prediction.ns, 0)
  const total = measured ? (timing?.ns ?? null) : predicted
  return [
    [
      paint.bold('→'),
      paint.bold('chosen by the search'),
      '',
      '',
      percent(main.occupancy.occupancy),
      String(main.registers.perThread),
      '',
      main.prediction.boundBy,
      paint.bold(duration(predicted)),
      ...(measured ? [total === null ? '–' : paint.bold(duration(total))] : []),
      gainOf(total, ladder[0], measured, paint),
    ],
  ]
}

// ── lower bound ───────────────────────────────────────────────────────────────────────────────────────────────────

/** What any schedule must do, and what stands between it and the plan. */
function boundLines({ lowerBound: b, recurrence: r, distance: d }: Optimized, paint: Paint, columns: number): string[] {
  const names = { fp32: 'in single precision', fp64: 'in double precision', int: 'on integers', sfu: 'of functions' }
  const operations = (['fp32', 'fp64', 'int', 'sfu'] as const)
    .filter((key) => b.operations[key] > 0)
    .map((key) => `${amount(b.operations[key])} operations ${names[key]}`)
  return [
    ...paragraph(
      '  ',
      `Any schedule moves ${amount(b.bytes)}B${operations.length > 0 ? ` and does ${list(operations)}` : ''}, which ` +
        `takes ${duration(b.ns)}; ${r && r.ns > b.ns ? recurrenceWords(r) : ''}the chosen one ` +
        `${d.of === 'measured' ? 'was' : 'is'} ${d.of} to take ${times(d.times)} that.`,
      columns,
    ),
    ...(d.finding ? paragraph(`  ${paint.yellow('between')}  `, `${d.finding.message}.`, columns) : []),
  ]
}

/** Which loop takes longer than the bound in any order that the source allows. */
const recurrenceWords = ({ ns, iterations, variable, distance, line }: NonNullable<Optimized['recurrence']>): string =>
  `${grouped(iterations)} iterations${line === null ? '' : ` of the loop in line ${line}`}, each of which needs ` +
  `${variable} of the one ${distance > 1 ? `${distance} ` : ''}before it, take ${duration(ns)}; `

// ── kernels, proof, files ─────────────────────────────────────────────────────────────────────────────────────────

function kernelLines({ kernels }: Optimized, paint: Paint, columns: number): string[] {
  return kernels.flatMap((k) => {
    const o = k.occupancy
    const limit = o.activeWarps < o.maxWarps ? `, limited by ${list(o.limitedBy)}` : ''
    const often = k.launches === 1 ? '' : `launched ${grouped(k.launches)} times, `
    const facts =
      `${often}grid ${k.grid.map(grouped).join(' × ')}, ${k.block[0] * k.block[1] * k.block[2]} threads a ` +
      `block, ${k.registers.perThread} registers (${k.registers.source}), occupancy ${percent(o.occupancy)}${limit}`
    return [
      ...paragraph(`  ${paint.bold(k.name)}  `, facts, columns),
      ...k.steps.flatMap((s, i) => paragraph(`${String(i + 1).padStart(5)}. `, s, columns)),
    ]
  })
}

/** What is faster or slow where rows are few or short. */
function shapeLines({ versions, slowShapes, plan }: Optimized, columns: number): string[] {
  const atText = (at: Readonly<Record<string, number>>): string =>
    list(plan.sizes.filter((s) => !s.fixed).map((s) => `${s.name} = ${grouped(at[s.name] ?? s.planned)}`))
  return [
    ...versions.flatMap(({ size, most, at, ns, without }) =>
      paragraph(
        '  ',
        `Where ${size} is at most ${grouped(most)} the host takes other kernels, made for ${atText(at)}: predicted ` +
          `to take ${duration(ns)} there, where the rest takes ${duration(without)}.`,
        columns,
      ),
    ),
    ...slowShapes.flatMap(({ at, ns, boundNs }) =>
      paragraph(
        '  ',
        `At ${atText(at)} these kernels are predicted to take ${duration(ns)}, ${times(ns / boundNs)} what any ` +
          `schedule must: --shapes looks for kernels for such sizes, too.`,
        columns,
      ),
    ),
  ]
}

/** Which emitted texts were read back. */
function textLines(run: Optimized['textsRun'], columns: number): readonly string[] {
  if (run.length === 0) return []
  const names = run.map((t) => (t === 'wgsl' ? 'WGSL' : 'CUDA (as nvcc compiles it)')).join(' and ')
  return paragraph('  ', `The emitted ${names} was read back, run and compared, too.`, columns)
}

function proofLines(
  { result: { verified, textsRun, failed, search, measuredOn } }: OptimizeReport,
  paint: Paint,
  columns: number,
): string[] {
  const checks =
    'Every variant was run in the simulator on fresh random data with poisoned outputs, watched for races, ' +
    'out-of-bounds and uninitialised reads, each operation as inexact as its target allows, and compared with ' +
    'the source run in float64'
  const measured = measuredOn === null ? 'none measured' : `${search.measured} measured on ${measuredOn}`
  return [
    ...paragraph(
      '  ',
      `${checks}, at ${verified.sizes.map((x) => sizesText(x).replace(/ /g, '\u00a0')).join('; ')}.`,
      columns,
    ),
    ...paragraph(
      '  ',
      `Largest relative error ${error(verified.maxRelativeError)}; rounding allows ${error(verified.bound)}.`,
      columns,
    ),
    ...textLines(textsRun, columns),
    ...(verified.loose ?? []).flatMap((text) => paragraph(`  ${paint.yellow('loose')}  `, `${text}.`, columns)),
    ...unreachedLines(verified.unreached ?? [], paint, columns),
    ...failedLines(failed, paint, columns),
    ...paragraph(
      '  ',
      `Searched in ${digits(search.seconds)} s: ${grouped(search.predicted)} of ` +
        `${plural(search.candidates, 'candidate')} predicted, ${measured}.`,
      columns,
    ),
  ]
}

/** Candidates that failed and are shown; report.json has all. */
const mostFailed = 3

/** Sentences of what the proof did not run that are shown. */
const mostUnreached = 3

/** What ran at none of the sizes of the proof, and is not proved by them. */
function unreachedLines(unreached: readonly string[], paint: Paint, columns: number): string[] {
  const more = unreached.length - mostUnreached
  const shown = unreached.slice(0, mostUnreached).map((text) => `${text}.`)
  const all = more > 0 ? [...shown, `And ${more} more, in report.json.`] : shown
  return all.flatMap((text) => paragraph(`  ${paint.yellow('not run')}  `, text, columns))
}

/** What computed something else: a fault of ours. What could not be built is no result, and in report.json alone. */
function failedLines(failed: Optimized['failed'], paint: Paint, columns: number): string[] {
  const wrong = failed.filter((f) => f.how !== 'unbuilt')
  if (wrong.length === 0) return []
  return [
    ...paragraph(
      `  ${paint.yellow('failed')} `,
      `${plural(wrong.length, 'candidate')} that would have come first computed something else and ` +
        `${wrong.length === 1 ? 'was' : 'were'} passed over, so that the kernels may be slower than they ` +
        `should be. This is a fault of Tesela: please report it with the source.`,
      columns,
    ),
    ...wrong.slice(0, mostFailed).flatMap((f) => paragraph('         ', `${f.schedule}: ${f.why}`, columns)),
    ...(wrong.length > mostFailed
      ? paragraph(
          '         ',
          `and ${plural(wrong.length - mostFailed, 'other')}; all of them are in report.json (failed)`,
          columns,
        )
      : []),
  ]
}

function fileLines({ files, folder, result }: OptimizeReport, paint: Paint, columns: number): string[] {
  const rows = [
    ...files.map((f) => [paint.bold(`${folder}/${f.name}`), f.what]),
    [paint.bold(`${folder}/report.json`), 'this report as data'],
  ]
  const forWebGPU = files.some((f) => !f.name.endsWith('.cu') && !f.name.endsWith('.json'))
  const { variants } = result.plan
  const conditions = variants.map(conditionWords).join(', else ')
  const choice =
    variants.length > 1
      ? paragraph('  ', `The host functions choose by size: ${conditions}.`, columns).map((l) => paint.dim(l))
      : []
  return [
    ...table([{ title: '' }, { title: '' }], rows),
    ...choice,
    ...(forWebGPU ? limitLines(result.plan, paint) : []),
  ]
}

/** What of WebGPU's limits some variant needs beyond what every device gives, and what happens elsewhere. */
function limitLines(plan: Plan, paint: Paint): string[] {
  const needs = plan.variants.map(needsBeyond).find((n) => Object.keys(n).length > 0)
  if (!needs) return []
  const otherwise = plan.variants.some((v) => runsOn(v))
    ? 'other devices get a variant that runs everywhere'
    : 'no schedule needs less: other devices are refused'
  const sentence =
    `The fastest WGSL needs ${needsWords(needs)}, more than WebGPU gives by default: ` +
    `the TypeScript wrapper asks for it when it opens the device; ${otherwise}.`
  return [`  ${paint.dim(sentence)}`]
}

// ── origins ───────────────────────────────────────────────────────────────────────────────────────────────────────

function predictedBy(gpu: GpuProfile): string {
  const error = fidelityOf(gpu.name)
  return error
    ? `times: by the model, whose mean error on ${error.kernels} launches that it was not fitted on is ` +
        `${error.mape} % on ${gpu.title} (docs/fidelity.md)`
    : `times: by a model that is not calibrated for ${gpu.title}; good for ranking schedules, not as a promise`
}

function originLines({ result, gpu }: OptimizeReport, paint: Paint, columns: number): string[] {
  const entry = (name: string, text: string): string[] => paragraph(`  ${paint.bold(name.padEnd(12))} `, text, columns)
  const sampled = result.ladder.every((r) => r.exact || r.scaled) ? '' : ', or blocks drawn at random'
  const scaled = result.ladder.some((r) => r.scaled) ? '; ≈ counted at smaller sizes and scaled by the work' : ''
  const estimated = result.kernels.some((k) => k.registers.source === 'estimated')
  const timing = result.measured ?? result.ladder.map((r) => r.measured).find((t) => t !== null)
  return [
    ...entry(
      'counted',
      `sectors, bank conflicts (passes beyond the ideal) and instructions: the simulator, by the rules of ` +
        `${gpu.title}, from one block of each class that is derived from the kernel${sampled}${scaled}; 4 ` +
        `sectors a request are the fewest for 4 bytes a thread, 16 for vectors of 16`,
    ),
    ...entry(
      'computed',
      `occupancy: exactly, from the GPU's limits and the registers ` +
        `shown${estimated ? ', which are estimated from live ranges until a compiler reports them' : ''}`,
    ),
    ...entry('predicted', predictedBy(gpu)),
    ...(timing && result.measuredOn
      ? entry(
          'measured',
          `on ${result.measuredOn}: median of ${timing.samples} samples of ${timing.repeats} runs by ` +
            `${timing.timer}, spread ±\u00a0${digits(timing.spread * 100, 2)}\u00a0%; predictions are for ${gpu.title}`,
        )
      : []),
  ]
}
