// `tesela optimize`: plain loops in C → fast kernels, proved, with the story of how they became fast.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { join } from 'node:path'
import { fail } from '../base/index.ts'
import { parseC } from '../frontend/c/index.ts'
import { parseWgsl } from '../frontend/wgsl/index.ts'
import { gpu, type GpuProfile } from '../gpus/index.ts'
import { doubleIn, toSingle, wideIn, type Program } from '../ir/index.ts'
import { optimizeHtml, optimizeJson, optimizeLines, outputFiles, type OptimizeReport } from '../report/index.ts'
import { openMeasurer, optimize, ptxRunner, type Optimized, type OptimizeOptions } from '../tune/index.ts'
import { ptxOfText } from './nvcc.ts'
import { includesOf, parserFiles, readSource } from './files.ts'
import { choicesOf, definition, gpuNamed, htmlFile, several, wholeNumber } from './flags.ts'
import { checkFile, checkFolder, writeFiles } from './outputs.ts'
import { progressOn } from './progress.ts'
import { pageLine, print, printJson, terminalOf } from './terminal.ts'

type Target = 'wgsl' | 'cuda'
const targets: readonly Target[] = ['wgsl', 'cuda']

interface Flags {
  readonly function?: string
  readonly D?: Readonly<Record<string, string>>
  readonly I?: readonly string[]
  readonly gpu: GpuProfile
  readonly target: readonly Target[]
  readonly measure?: 'webgpu' | 'cuda'
  readonly budget?: number
  readonly seed: number
  readonly checkCuda?: true
  readonly precision?: 'f32'
  readonly o?: string
  readonly json?: true
  readonly html?: string
}

export function optimizeCommand(program: Command): void {
  program
    .command('optimize')
    .description('plain sequential loops in C become fast GPU kernels: WGSL, CUDA C and a typed TypeScript wrapper')
    .argument('<file.c>', 'C source; #pragma tesela sizes(n = 4096) says what sizes to plan for')
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
    .addOption(new Option('--measure <device>', 'measure the candidates on this machine').choices(['webgpu', 'cuda']))
    .option(
      '--budget <n>',
      'candidates to predict per loop nest, and at most so many to measure',
      wholeNumber(1, 100_000),
    )
    .option('--seed <n>', 'seed of the search and of the data', wholeNumber(0), 1)
    .option('--check-cuda', 'compile the emitted CUDA with nvcc, read it back, run it in the simulator and compare')
    .addOption(new Option('--precision <type>', 'compute a double program in single precision').choices(['f32']))
    .option('-o <dir>', 'where the files go (default: out/NAME)', folderName)
    .option('--json', 'print the report as JSON')
    .option('--html <file>', 'write the report as one page that draws it', htmlFile)
    .action((file: string, flags: Flags) => run(file, flags))
}

function folderName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must name a folder.')
  return text.replace(/(?<=.)\/+$/, '')
}

async function run(file: string, flags: Flags): Promise<void> {
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
    ...(flags.function !== undefined && { function: flags.function }),
  })
  const program = inPrecision(read, flags)
  const folder = flags.o ?? `out/${program.name}`
  checkFolder(folder)
  const result = await search(program, flags)
  const report: OptimizeReport = {
    result,
    gpu: flags.gpu,
    file,
    folder,
    files: outputFiles(result, flags.target, file),
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
}

/** The program in the precision asked for; one with numbers of 64 bits for WGSL is refused. */
function inPrecision(program: Program, flags: Flags): Program {
  const wide = flags.target.includes('wgsl') ? wideIn(program) : undefined
  if (wide)
    fail(
      'wgsl.wide',
      `'${wide.name}' needs integers of 64 bits, which WGSL does not have`,
      wide.at,
      'compute with int and unsigned, or emit CUDA alone with --target cuda',
    )
  if (flags.precision === 'f32') return toSingle(program)
  const double = doubleIn(program)
  if (double && flags.target.includes('wgsl')) {
    fail(
      'wgsl.double',
      `'${double.name}' is double precision, which WGSL does not have`,
      double.at,
      'compute in single precision with --precision f32, or keep double and emit CUDA alone with --target cuda',
    )
  }
  return program
}

async function search(program: Program, flags: Flags): Promise<Optimized> {
  const progress = progressOn(process.stderr)
  const measure = flags.measure ? await openMeasurer(flags.measure) : null
  const options: OptimizeOptions = {
    gpu: flags.gpu,
    targets: flags.target,
    seed: flags.seed,
    readWgsl: parseWgsl,
    ...(flags.checkCuda && { readCuda: ptxRunner(ptxOfText) }),
    measure,
    provePlanned: program.sizes.some((s) => !s.fixed && Object.hasOwn(flags.D ?? {}, s.name)),
    progress: (p) => progress.show(p),
    ...(flags.budget !== undefined && { budget: flags.budget, measured: flags.budget }),
  }
  try {
    return await optimize(program, options)
  } finally {
    progress.clear()
    measure?.close()
  }
}
