// `tesela build`: every function of a C file becomes a module that runs it on tensors without a compiler. All modules
// are written, or none.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { basename, join } from 'node:path'
import { compileOperation, operationModules, timeWords, type PlannedOperation } from '../../compile/index.ts'
import { fail } from '../../base/index.ts'
import { offeredFunctions } from '../../frontend/c/index.ts'
import { gpu, type GpuProfile } from '../../gpus/index.ts'
import { folderName, definition, gpuNamed, several, wholeNumber } from '../flags.ts'
import { includesOf, parserFiles, readSource } from '../files.ts'
import { checkFolder, writeFiles } from '../outputs.ts'
import { progressOn } from '../progress.ts'
import { print, terminalOf } from '../terminal.ts'

interface Flags {
  readonly D?: Readonly<Record<string, string>>
  readonly I?: readonly string[]
  readonly gpu: GpuProfile
  readonly budget?: number
  readonly seed: number
  readonly precision?: 'f32'
  readonly shapes?: true
  readonly runtime?: string
  readonly o: string
}

export function buildCommand(program: Command): void {
  program
    .command('build')
    .description('every function of a C file becomes a typed module that runs it on tensors, without a compiler')
    .argument('<file.c>', 'C source; #pragma tesela sizes(n = 4096) says what sizes to plan for')
    .option('-D <name=value>', 'define a macro, or give the value of a size to plan for', definition, undefined)
    .option('-I <dir>', 'where to look for included files', several, undefined)
    .addOption(new Option('--gpu <name>', 'GPU to plan for').argParser(gpuNamed).default(gpu('h200'), 'h200'))
    .option('--budget <n>', 'candidates to predict per loop nest', wholeNumber(1, 100_000))
    .option('--seed <n>', 'seed of the search and of the data', wholeNumber(0), 1)
    .addOption(new Option('--precision <type>', 'compute doubles in single precision').choices(['f32']))
    .option('--shapes', 'make kernels for other shapes of the data, too: few or short rows')
    .option('--runtime <module>', 'what the modules import the library from', moduleName)
    .option('-o <dir>', 'where the modules go', folderName, 'ops')
    .action(run)
}

function moduleName(text: string): string {
  if (!/^[\w@./-]+$/.test(text)) throw new InvalidArgumentError('It must be a module, as in an import.')
  return text
}

async function run(file: string, flags: Flags): Promise<void> {
  if (/\.(wgsl|ptx|cuh?)$/.test(file)) fail('build.language', `${file} is no C`)
  const text = readSource(file)
  checkFolder(flags.o)
  const own = {
    defines: flags.D ?? {},
    include: includesOf(file, flags.I ?? []),
    wasm: parserFiles(),
  }
  const names = await offeredFunctions(text, file, own)
  if (names.length === 0) fail('build.function', `${file} has no function to build`)
  const made: PlannedOperation[] = []
  const progress = progressOn(process.stderr)
  try {
    for (const [i, name] of names.entries())
      made.push(
        await compileOperation(text, {
          ...own,
          file,
          function: name,
          gpu: flags.gpu,
          seed: flags.seed,
          ...(flags.budget !== undefined && { budget: flags.budget }),
          ...(flags.precision && { precision: flags.precision }),
          ...(flags.shapes && { shapes: true }),
          progress: (p) => progress.show({ ...p, stage: `${name} (${i + 1}/${names.length}), ${p.stage}` }),
        }),
      )
  } finally {
    progress.clear()
  }
  const modules = operationModules(made, {
    file: basename(file),
    ...(flags.runtime !== undefined && { runtime: flags.runtime }),
  })
  writeFiles(Object.fromEntries(Object.entries(modules).map(([name, text]) => [join(flags.o, name), text])))
  const { paint } = terminalOf(process.stdout)
  const wide = Math.max(...made.map((m) => m.data.name.length))
  print([
    ...made.map(({ data, report: r }) => {
      const launches = r.kernels.reduce((n, k) => n + k.launches, 0),
        rate = (r.predictedNs / r.boundNs).toFixed(2)
      return (
        `  ${paint.bold(data.name.padEnd(wide))}  ${timeWords(r.predictedNs).padStart(8)} predicted on ${r.gpu}, ` +
        `${rate}× the bound, ${launches === 1 ? 'one launch' : `${launches} launches`}`
      )
    }),
    `  ${join(flags.o, 'index.ts')} exports ${made.length === 1 ? 'it' : `all ${made.length}`}; ` +
      `each runs on tensors of tesela/kernels`,
  ])
}
