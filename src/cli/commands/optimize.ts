// `tesela optimize`: plain loops in C → fast kernels, proved, with the story of how they became fast.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { join } from 'node:path'
import { fail, nearest } from '../../base/index.ts'
import { inPrecision } from '../../compile/index.ts'
import { parseC } from '../../frontend/c/index.ts'
import { parseWgsl } from '../../frontend/wgsl/index.ts'
import { gpu, type GpuProfile } from '../../gpus/index.ts'
import { PassTrace, Stopped, isFixed, type Program } from '../../ir/index.ts'
import { passCatalogue, passesOfC } from '../../pipeline/catalogue.ts'
import {
  afterLines,
  catalogueLines,
  changedLines,
  optimizeHtml,
  optimizeJson,
  optimizeLines,
  outputFiles,
  printable,
  type OptimizeReport,
} from '../../report/index.ts'
import { openMeasurer, optimize, ptxRunner, type Optimized, type OptimizeOptions } from '../../tune/index.ts'
import { ptxOfText } from '../nvcc.ts'
import { includesOf, parserFiles, readSource } from '../files.ts'
import { farmAddress } from '../farm-address.ts'
import { Gate } from '../gate.ts'
import { compilerName } from '../job-tools.ts'
import {
  folderName,
  choicesOf,
  definition,
  gpuNamed,
  htmlFile,
  numberFrom,
  several,
  storeName,
  wholeNumber,
} from '../flags.ts'
import { checkFile, checkFolder, writeFiles } from '../outputs.ts'
import { progressOn } from '../progress.ts'
import type { KeptSearch } from '../kept.ts'
import { pageLine, print, printJson, terminalOf } from '../terminal.ts'

type Target = 'wgsl' | 'cuda'
const targets: readonly Target[] = ['wgsl', 'cuda']

/** Processor seconds of a search. With the proof, which it does not count, nearly all programs end within 40 s then. */
export const defaultEffort = 20

interface Flags {
  readonly function?: string
  readonly D?: Readonly<Record<string, string>>
  readonly I?: readonly string[]
  readonly gpu: GpuProfile
  readonly target: readonly Target[]
  readonly measure?: 'webgpu' | 'cuda'
  readonly budget?: number
  readonly effort: number
  readonly seed: number
  readonly maxOverBound?: number
  readonly shapes?: true
  readonly checkCuda?: true
  readonly precision?: 'f32'
  readonly store?: string
  readonly farm?: string
  readonly o?: string
  readonly json?: true
  readonly html?: string
  readonly passes?: true
  readonly printChanged?: true
  readonly printAfter?: string
  readonly stopAfter?: string
  readonly verifyEach?: true
}

export function optimizeCommand(program: Command): void {
  program
    .command('optimize')
    .description('plain sequential loops in C become fast GPU kernels: WGSL, CUDA C and a typed TypeScript wrapper')
    .argument('[file.c]', 'C source; #pragma tesela sizes(n = 4096) says what sizes to plan for')
    .option('--function <name>', 'which function, when the file has several with loops')
    .option(
      '-D <name=value>',
      'define a macro, or give the value of a size parameter to plan and verify for',
      definition,
      undefined,
    )
    .option('-I <dir>', 'where to look for included files', several, undefined)
    .addOption(
      new Option('--gpu <name>', 'GPU to predict for (tesela gpus lists them)')
        .argParser(gpuNamed)
        .default(gpu('h200'), 'h200'),
    )
    .addOption(
      new Option('--target <list>', 'what to emit').argParser(choicesOf<Target>(targets)).default(targets, 'wgsl,cuda'),
    )
    .addOption(
      new Option(
        '--measure <device>',
        'measure the candidates on this machine, or with --farm on a worker that has the device',
      ).choices(['webgpu', 'cuda']),
    )
    .option(
      '--budget <n>',
      'candidates to predict per loop nest, and at most so many to measure',
      wholeNumber(1, 100_000),
    )
    .option(
      '--effort <seconds>',
      'processor seconds after which no more candidates are predicted',
      numberFrom(1),
      defaultEffort,
    )
    .option('--seed <n>', 'seed of the search and of the data', wholeNumber(0), 1)
    .option(
      '--max-over-bound <x>',
      'exit 1 where the chosen plan takes more than x times what any schedule must',
      numberFrom(1),
    )
    .option('--shapes', 'make kernels for other shapes of the data, too: for few or short rows, where others are slow')
    .option('--check-cuda', 'compile the emitted CUDA with nvcc, read it back, run it in the simulator and compare')
    .addOption(new Option('--precision <type>', 'compute a double program in single precision').choices(['f32']))
    .option('--store <store>', 'keep scores and readings in a file or postgres://…, and use those it has', storeName)
    .option('--farm <url>', 'let the workers of a farm predict and measure the candidates')
    .option('-o <dir>', 'where the files go (default: out/NAME)', folderName)
    .option('--json', 'print the report as JSON')
    .option('--html <file>', 'write the report as one page that draws it', htmlFile)
    .option('--passes', 'list all passes in their order, and do nothing else')
    .option('--print-changed', 'print each change that a pass makes to the program, and each choice between ways')
    .option('--print-after <pass>', 'print the program after each run of this pass', passNamed)
    .option('--stop-after <pass>', 'print the program after the first run of this pass, and stop', passNamed)
    .option('--verify-each', 'check the program after each pass that changed it')
    .action(async (file: string | undefined, flags: Flags, command: Command) => {
      if (flags.passes) listPasses()
      else if (file === undefined) command.error("error: missing required argument 'file.c'")
      else await runOrStop(file, flags)
    })
}

/** The name of a pass that C goes through, or `schedule`: what the sketch of a kernel made. */
function passNamed(text: string): string {
  const names = ['schedule', ...passesOfC.map((p) => p.name)],
    near = nearest(text, names)
  if (names.includes(text)) return text
  throw new InvalidArgumentError(
    near === undefined ? 'It must be a pass; --passes lists them.' : `Did you mean ${near}? --passes lists all.`,
  )
}

function listPasses(): void {
  const { paint, columns } = terminalOf(process.stdout)
  print(catalogueLines(passCatalogue, paint, columns))
}

async function runOrStop(file: string, flags: Flags): Promise<void> {
  const { verifyEach = false, stopAfter } = flags
  const trace = new PassTrace({ verifyEach, ...(stopAfter !== undefined && { stopAfter }) })
  try {
    await run(file, flags, trace)
  } catch (e) {
    if (!(e instanceof Stopped)) throw e
    printTrace(trace, flags)
    print([e.text.trimEnd()])
  }
}

/** What was asked for of passes; where JSON goes to the output, to the other one. */
function printTrace(trace: PassTrace, flags: Flags): void {
  const { paint, columns } = terminalOf(flags.json ? process.stderr : process.stdout)
  const lines = [
    ...(flags.printChanged ? changedLines(trace, paint, columns) : []),
    ...(flags.printAfter === undefined ? [] : afterLines(trace, flags.printAfter, paint)),
  ]
  if (lines.length === 0) return
  if (flags.json) process.stderr.write(`${lines.join('\n')}\n`)
  else print([...lines, ''])
}

async function run(file: string, flags: Flags, trace: PassTrace): Promise<void> {
  if (/\.(wgsl|ptx|cuh?)$/.test(file))
    fail(
      'optimize.language',
      `${file} is no C`,
      undefined,
      'optimize reads plain loops in C; kernels are for tesela explain',
    )
  if (flags.html !== undefined) checkFile(flags.html)
  const text = readSource(file)
  const read = await parseC(text, file, {
    defines: flags.D ?? {},
    include: includesOf(file, flags.I ?? []),
    wasm: parserFiles(),
    trace,
    ...(flags.function !== undefined && { function: flags.function }),
  })
  const program = inPrecision(read, {
    wgsl: flags.target.includes('wgsl'),
    single: flags.precision === 'f32',
    hints: {
      wide: 'compute with int and unsigned, or emit CUDA alone with --target cuda',
      double: 'compute in single precision with --precision f32, or keep double and emit CUDA alone with --target cuda',
    },
  })
  const folder = flags.o ?? `out/${program.name}`
  checkFolder(folder)
  const result = await search(program, flags, trace, { name: file, text })
  printTrace(trace, flags)
  const report: OptimizeReport = {
    result,
    gpu: flags.gpu,
    file,
    folder,
    files: outputFiles(result, flags.target, file),
    trace,
  }
  const json = optimizeJson(report)
  const inFolder = [...report.files, { name: 'report.json', text: `${JSON.stringify(json, null, 2)}\n` }].map(
    (f) => [join(folder, f.name), f.text] as const,
  )
  writeFiles({
    ...Object.fromEntries(inFolder),
    ...(flags.html !== undefined && { [flags.html]: optimizeHtml(report, text) }),
  })
  const { paint, columns } = terminalOf(process.stdout)
  if (flags.json) printJson(json)
  else print([...optimizeLines(report, paint, columns), ...pageLine(flags.html, paint)])
  const { times, of, finding } = result.distance
  if (flags.maxOverBound !== undefined && times > flags.maxOverBound)
    throw new Gate(
      `tesela: --max-over-bound ${flags.maxOverBound}: ${of} ${times.toPrecision(3)} times the lower bound` +
        `${finding ? `; ${printable(finding.message)}` : ''}`,
    )
}

/** Scores and measurements from a farm: what is read here is read there, too, with all that it includes. */
async function doneByFarm(
  program: Program,
  options: OptimizeOptions,
  flags: Flags,
  source: { readonly name: string; readonly text: string },
): Promise<OptimizeOptions> {
  if (flags.farm === undefined) return options
  const { FarmClient, farmMeasurer, farmScorer, withIncludes } = await import('../../farm/index.ts')
  const { function: name, D: defines, precision } = flags
  const given = {
    ...source,
    ...(name !== undefined && { function: name }),
    ...(defines && { defines }),
    ...(precision && { precision }),
  }
  const { effort: _, ...unlimited } = options // what ends by time depends on who computes
  const job = await withIncludes(given, includesOf(source.name, flags.I ?? []), parserFiles())
  const client = new FarmClient(farmAddress(flags.farm, undefined))
  const farm = { client, compiler: compilerName(), program: job }
  const measure = flags.measure ? farmMeasurer(flags.measure, unlimited, farm) : null
  return { ...unlimited, score: farmScorer(program, unlimited, farm), measure }
}

/** Loaded where it is asked for. */
const keptSearch = async (...args: Parameters<typeof KeptSearch.open>): Promise<KeptSearch> =>
  (await import('../kept.ts')).KeptSearch.open(...args)

async function search(
  program: Program,
  flags: Flags,
  trace: PassTrace,
  source: { readonly name: string; readonly text: string },
): Promise<Optimized> {
  const progress = progressOn(process.stderr)
  const measure = flags.measure && flags.farm === undefined ? await openMeasurer(flags.measure) : null
  const options: OptimizeOptions = {
    gpu: flags.gpu,
    targets: flags.target,
    seed: flags.seed,
    effort: flags.effort,
    shapes: flags.shapes ? 'made' : 'told',
    readWgsl: parseWgsl,
    ...(flags.checkCuda && { readCuda: ptxRunner(ptxOfText) }),
    measure,
    trace,
    provePlanned: program.sizes.some((s) => !isFixed(s) && Object.hasOwn(flags.D ?? {}, s.name)),
    progress: (p) => progress.show(p),
    ...(flags.budget !== undefined && { budget: flags.budget, measured: flags.budget }),
  }
  const farmed = await doneByFarm(program, options, flags, source)
  const kept = flags.store === undefined ? null : await keptSearch(flags.store, program, farmed)
  let result: Optimized | null = null
  try {
    result = await optimize(program, kept ? { ...farmed, scores: kept.scores, measuredOne: kept.measuredOne } : farmed)
    return result
  } finally {
    progress.clear()
    measure?.close()
    await kept?.end(result)
  }
}
