// `tesela explain`: why is a kernel slow. In: a WGSL, PTX or CUDA file and a launch, from flags or a launch file. Out:
// a report by source line, or JSON. `--deny` makes findings and hazards a gate.
import { Option, InvalidArgumentError, type Command } from 'commander'
import { existsSync, readFileSync } from 'node:fs'
import { DiagnosticError, fail, type Span } from '../../base/index.ts'
import {
  explain,
  explainFixes,
  explainRemedies,
  explainPortable,
  explainSeveral,
  namedBuffer,
  dimensionsOf,
  explainWithView,
  LaunchTextError,
  namedNumber,
  namedNumbers,
  samplerOf,
  sharedBytesText,
  wordsOf,
  type BufferSpec,
  type ExplainLaunch,
  type ExplainOptions,
  type ExplainReport,
  type ExplainSource,
  type MachineView,
  type NamedLaunch,
} from '../../explain/index.ts'
import { gpu, type GpuProfile } from '../../gpus/index.ts'
import type { Dim3, SamplerSpec } from '../../ir/index.ts'
import { explainHtml, explainLines, explainSarif, fixLines, frameLines, machineLines } from '../../report/index.ts'
import { compileCudaText, cudaSource } from '../nvcc.ts'
import { readSource } from '../files.ts'
import { gpuNamed, htmlFile, several } from '../flags.ts'
import { gate, parseGates } from '../gates.ts'
import { checkFile, writeFiles } from '../outputs.ts'
import { pageLine, print, printJson, terminalOf } from '../terminal.ts'
import { version } from '../version.ts'
import { explainRecording, isRecording } from './frame.ts'
import { launchesInText } from './host-launches.ts'
import { nvccOptions, sourceOf } from './explained-source.ts'

interface Flags {
  readonly entry?: string
  readonly grid?: Dim3
  readonly block?: Dim3
  readonly buffer?: Readonly<Record<string, BufferSpec>>
  readonly arg?: Readonly<Record<string, number>>
  readonly override?: Readonly<Record<string, number>>
  readonly sampler?: Readonly<Record<string, SamplerSpec>>
  readonly launch?: string
  readonly shared?: number
  readonly arch?: readonly [number, number]
  readonly include?: readonly string[]
  readonly define?: readonly string[]
  readonly gpu: GpuProfile | 'portable'
  readonly kernel?: number
  readonly exact?: true
  readonly budget?: number
  readonly deny?: readonly string[]
  readonly require?: readonly string[]
  readonly baseline?: string
  readonly tolerance?: number
  readonly json?: true
  readonly sarif?: true
  readonly machine?: true
  readonly html?: string
  readonly fix?: true
  readonly write?: true
}

/** Seconds of a processor for the search for hazards. */
const hazardSeconds = 0.5
/**
 * Steps of one launch for who waits at a terminal: 1.5 to 6 s in Node 20 on a server's core. A launch of more is
 * counted by a sample of its blocks.
 */
const countedSteps = 1e9

export function explainCommand(program: Command): void {
  program
    .command('explain')
    .description('why is a compute kernel slow: every access, conflict, divergence and hazard by source line')
    .argument('<file>', 'a .wgsl, .ptx or .cu file, or the .json that tesela/record wrote of a page')
    .option(
      '--entry <name>',
      'the entry point, when there are several; of CUDA as the source or the machine code names it',
    )
    .option('--grid <x,y,z>', 'workgroups dispatched, blocks launched', dimensions)
    .option('--block <x,y,z>', 'threads per block; of WGSL only checked against @workgroup_size', dimensions)
    .option(
      '--buffer <name=type[count][:fill]>',
      'what a buffer holds, or a texture: t=rgba8unorm[256x256]; fill is random, zero, iota or @file; may be repeated',
      buffer,
    )
    .option('--sampler <name=words>', 'how a sampler reads, like s=linear,repeat; may be repeated', sampler)
    .option(
      '--arg <name=value>',
      'a scalar in a uniform or storage variable, like params.n, a vector (params.size=64,64), or a parameter by ' +
        'name or position; may be repeated',
      numbers,
    )
    .option('--shared <bytes>', 'shared memory that the launch of a CUDA kernel adds', bytes)
    .option('--arch <sm>', 'what to compile CUDA for, like 90; the GPU’s own when absent', architecture)
    .option('-I, --include <folder>', 'where to look for files that CUDA includes; may be repeated', several)
    .option('-D, --define <name[=value]>', 'a macro for CUDA; may be repeated', several)
    .option('--override <name=value>', 'the value of an override; may be repeated', number)
    .option(
      '--launch <file.json>',
      'a file with grid, buffers, samplers, args and overrides, FILE.launch.json beside the source unless ' +
        'named; flags win',
    )
    .addOption(
      new Option(
        '--gpu <name>',
        'GPU profile (tesela gpus lists them), or portable: judged by the worst of one of each kind',
      )
        .argParser((text) => (text === 'portable' ? text : gpuNamed(text)))
        .default(gpu('h200'), 'h200'),
    )
    .option(
      '--kernel <n>',
      'of a recording: the kernel whose whole report is printed; 1, the dearest, when absent',
      kernel,
    )
    .option('--fix', 'make the changes that mend findings and hazards, run each, and print those that hold as a diff')
    .option('--write', 'with --fix: write the changed text into the file')
    .option(
      '--budget <seconds>',
      'about so many seconds of a processor to look for hazards in more than the first blocks; 0.5 when absent',
      seconds,
    )
    .option('--exact', 'run every workgroup, not one of each kind')
    .option('--deny <rule|level>', 'exit 1 when such a finding (or hazard: error) is there; may be repeated', several)
    .option(
      '--require <figure relation number>',
      "exit 1 when it does not hold, like 'each read efficiency >= 50 %'; may be repeated",
      several,
    )
    .option('--baseline <report.json>', 'exit 1 when something is new or worse than in this report of --json')
    .option('--tolerance <percent>', 'by how much figures may be worse than the baseline; 2 %', tolerance)
    .option('--json', 'print tesela.explain/1')
    .option('--sarif', 'print SARIF 2.1.0, for code scanning')
    .option('--machine', 'also how blocks are dealt, how warps take turns, and the memories that they reach')
    .option(
      '--html <file>',
      'write the report as one page that draws it: lanes, banks, a warp in time, occupancy, roofline',
      htmlFile,
    )
    .action((file: string, flags: Flags, command: Command) => {
      if (!isRecording(file)) return run(file, flags)
      const given = Object.keys(flags).filter((name) => command.getOptionValueSource(name) === 'cli')
      return explainRecording(file, flags, given)
    })
}

function run(file: string, flags: Flags): void {
  const gates = parseGates(flags)
  if (flags.html !== undefined && flags.gpu === 'portable')
    fail('explain.output', '--html draws the report of one GPU', undefined, 'name one with --gpu, like --gpu h200')
  if (flags.machine && flags.gpu === 'portable')
    fail('explain.output', '--machine shows one GPU', undefined, 'name one with --gpu, like --gpu h200')
  if (flags.machine && (flags.json || flags.sarif))
    fail('explain.output', '--machine is text, and goes with neither --json nor --sarif')
  if (flags.html !== undefined) checkFile(flags.html)
  if (flags.json && flags.sarif) fail('explain.output', '--json and --sarif exclude each other')
  if (!/\.cuh?$/.test(file) && (flags.include ?? flags.define ?? flags.arch))
    fail(
      'explain.cuda',
      '--include, --define and --arch are for CUDA, which is compiled first',
      undefined,
      `leave them out for ${file}`,
    )
  const source = sourceOf(file, flags)
  const { dispatches, ...common } = launchFile(flags.launch ?? launchBeside(file))
  const launch = { ...common, ...given(flags) }
  const said = dispatches?.filter((d) => flags.entry === undefined || d.entry === flags.entry)
  const several =
    said?.map((d) => ({ ...d, launch: overlaid(d.launch, launch) })) ??
    (source.language === 'cuda' && !launch.grid ? launchesInText(source, launch, flags) : [])
  if (several.length > 1) return explainAll(source, several, flags)
  const [only] = several
  const { grid } = only?.launch ?? launch
  if (!grid)
    return fail(
      'explain.grid',
      'the number of workgroups is missing',
      undefined,
      `give it with --grid 64,64, or in ${besideOf(file)}`,
    )
  if (flags.kernel !== undefined)
    fail(
      'explain.kernel',
      '--kernel is of recordings and files with several launches',
      undefined,
      'choose with --entry',
    )
  const entry = flags.entry ?? only?.entry
  // Changes are run many times, and reports for several GPUs once for each.
  const isOnce = !flags.fix && flags.gpu !== 'portable',
    budget = flags.budget ?? (isOnce ? hazardSeconds : undefined)
  const options = {
    ...(budget !== undefined && { budget }),
    ...(entry !== undefined && { entry }),
    ...(flags.exact ? { exact: true } : isOnce && { maxSteps: countedSteps }),
  }
  const whole = { ...(only?.launch ?? launch), grid }
  if (flags.fix && flags.sarif && !flags.write) return fixesInSarif(source, whole, options, flags)
  if (flags.fix ?? flags.write) return fixFile(source, whole, options, flags)
  const { report, machine } = placedAt(only?.at, () => explained(source, whole, options, flags))
  const broken = gate(gates, report),
    { paint, columns } = terminalOf(process.stdout)
  if (flags.json) printJson(report)
  else if (flags.sarif) printJson(explainSarif(report, version()))
  else
    print([
      ...explainLines(report, paint, columns),
      ...(machine ? machineLines(machine, wordsOf(report.kernel.language), paint, columns) : []),
      ...pageLine(flags.html, paint),
    ])
  if (broken) throw broken
}

/** What is said of one dispatch over what is said of all; flags over both. */
const overlaid = (own: ExplainLaunch, all: Partial<ExplainLaunch>): ExplainLaunch => ({
  ...own,
  ...all,
  grid: all.grid ?? own.grid,
  buffers: { ...own.buffers, ...all.buffers },
  args: { ...own.args, ...all.args },
  overrides: { ...own.overrides, ...all.overrides },
  samplers: { ...own.samplers, ...all.samplers },
})

/** All launches of a file, the dearest first. */
function explainAll(source: ExplainSource, launches: readonly NamedLaunch[], flags: Flags): void {
  const other = (['html', 'sarif', 'deny', 'require', 'baseline', 'fix', 'write'] as const).find(
    (name) => flags[name] !== undefined,
  )
  const names = [...new Set(launches.map((l) => l.entry))].join(', ')
  if (other !== undefined)
    fail(
      'explain.entry',
      `--${other} is of one kernel, and the file launches ${names}`,
      undefined,
      'choose one with --entry',
    )
  if (flags.gpu === 'portable')
    return fail(
      'explain.gpu',
      'several launches are explained for one GPU',
      undefined,
      'name one with --gpu, like --gpu h200',
    )
  const report = explainSeveral(source, launches, {
    gpu: flags.gpu,
    budget: flags.budget ?? hazardSeconds,
    ...(flags.exact && { exact: true }),
  })
  const { paint, columns } = terminalOf(process.stdout)
  if (flags.json) printJson(report)
  else print(frameLines(report, paint, columns, flags.kernel))
  if (report.kernels.every((k) => k.report === null)) refuseAll(source.file)
}

/** What is refused of a launch that the host code says, at the line of that. */
function placedAt<T>(at: Span | undefined, work: () => T): T {
  try {
    return work()
  } catch (e) {
    if (!(e instanceof DiagnosticError) || at === undefined) throw e
    throw new DiagnosticError(e.diagnostics.map((d) => (d.at ? d : { ...d, at })))
  }
}

/** Exit 2, as where one kernel is refused; why each was stands in the report. */
const refuseAll = (file: string): never =>
  fail('explain.none', `no launch of ${file} can be explained`, undefined, 'the report says why each cannot')

/** What changes of a file are run with: one GPU, and the compiler of a changed text. Refuses what is not mended. */
function mendable(
  { language, file }: ExplainSource,
  flags: Flags,
): { readonly gpu: GpuProfile; readonly recompile: (text: string) => ExplainSource } {
  const { gpu } = flags
  if (gpu === 'portable')
    return fail('explain.fix', '--fix runs changes for one GPU', undefined, 'name one with --gpu, like --gpu h200')
  if (language === 'ptx') fail('explain.fix', 'PTX is not mended: a compiler made it', undefined, 'mend its source')
  return { gpu, recompile: (text) => cudaSource(text, file, compileCudaText(text, file, nvccOptions(flags))) }
}

/** Mends the file, or says how. */
function fixFile(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Omit<ExplainOptions, 'gpu'>,
  flags: Flags,
): void {
  if (!flags.fix) fail('explain.fix', '--write is of --fix', undefined, 'give both')
  const { gpu, recompile } = mendable(source, flags)
  const other = ['html', 'sarif', 'deny', 'require', 'baseline', 'machine'].find((name) => Object.hasOwn(flags, name))
  if (other !== undefined) fail('explain.fix', `--fix prints changes, not a report: leave --${other} out`)
  const found = explainFixes(source, launch, { ...options, gpu }, recompile)
  if (flags.write && found.fixes.length > 0) writeFiles({ [source.file]: found.text })
  if (flags.json) return printJson(found)
  const { paint, columns } = terminalOf(process.stdout)
  print(fixLines(found, source.text, paint, columns))
}

/** The log with a change for each result that one mends. */
function fixesInSarif(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Omit<ExplainOptions, 'gpu'>,
  flags: Flags,
): void {
  const { gpu, recompile } = mendable(source, flags)
  if (flags.html !== undefined) fail('explain.fix', '--fix prints changes, not a report: leave --html out')
  const { report, remedies } = explainRemedies(source, launch, { ...options, gpu }, recompile)
  const broken = gate(parseGates(flags), report)
  printJson(explainSarif(report, version(), remedies))
  if (broken) throw broken
}

/** The report; the page, when one is wanted, is written on the way. */
function explained(
  source: ExplainSource,
  launch: ExplainLaunch,
  options: Omit<ExplainOptions, 'gpu'>,
  { gpu: profile, html, machine }: Flags,
): { readonly report: ExplainReport; readonly machine?: MachineView } {
  if (profile === 'portable') return { report: explainPortable(source, launch, options) }
  if (html === undefined && !machine) return { report: explain(source, launch, { ...options, gpu: profile }) }
  const { report, view } = explainWithView(source, launch, { ...options, gpu: profile })
  if (html !== undefined) writeFiles({ [html]: explainHtml(report, view, profile) })
  return { report, ...(machine && { machine: view.machine }) }
}

const besideOf = (file: string): string => file.replace(/\.\w+$/, '.launch.json')

/** The launch file that lies beside the source, if there is one. */
const launchBeside = (file: string): string | undefined => (existsSync(besideOf(file)) ? besideOf(file) : undefined)

function kernel(text: string): number {
  const n = Number(text)
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('It must be a number from 1 on.')
  return n
}

function architecture(text: string): readonly [number, number] {
  const [, major, minor] = /^(?:sm_)?(\d{1,2})(\d)[af]?$/.exec(text) ?? []
  if (major === undefined) throw new InvalidArgumentError('It must be a compute capability, like 90 or sm_90.')
  return [Number(major), Number(minor)]
}

/** Reads as `read` does; what cannot be read is said as of a flag. */
const flag =
  <A extends unknown[], T>(read: (...args: A) => T) =>
  (...args: A): T => {
    try {
      return read(...args)
    } catch (e) {
      if (e instanceof LaunchTextError) throw new InvalidArgumentError(e.message)
      throw e
    }
  }

const dimensions = flag(dimensionsOf),
  numbers = flag((text: string, before: Readonly<Record<string, number>> | undefined) => namedNumbers(text, before)),
  number = flag((text: string, before: Readonly<Record<string, number>> | undefined) => namedNumber(text, before)),
  bytes = flag(sharedBytesText),
  sampler = flag((text: string, before: Readonly<Record<string, SamplerSpec>> | undefined) => samplerOf(text, before)),
  buffer = flag((text: string, before: Readonly<Record<string, BufferSpec>> | undefined) =>
    namedBuffer(text, before, bytesOfFile),
  )

const given = (f: Flags): Partial<ExplainLaunch> => ({
  ...(f.grid && { grid: f.grid }),
  ...(f.block && { block: f.block }),
  ...(f.buffer && { buffers: f.buffer }),
  ...(f.arg && { args: f.arg }),
  ...(f.override && { overrides: f.override }),
  ...(f.sampler && { samplers: f.sampler }),
  ...(f.shared !== undefined && { shared: f.shared }),
})

function seconds(text: string): number {
  const n = Number(text)
  if (text.trim() === '' || !(n > 0 && n <= mostSeconds))
    throw new InvalidArgumentError(`It must be a number of seconds above 0, up to ${mostSeconds}.`)
  return n
}

/** An hour: nobody waits longer at a terminal. */
const mostSeconds = 3600

function tolerance(text: string): number {
  const [, n] = /^(\d+(?:\.\d+)?) ?%?$/.exec(text) ?? []
  if (n === undefined) throw new InvalidArgumentError('It must be a percentage, like 5 or 5%.')
  return Number(n) / 100
}

function bytesOfFile(path: string): ArrayBuffer {
  try {
    const bytes = readFileSync(path)
    // Node's buffers are not shared
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  } catch {
    return fail('cli.file', `there is no file ${path} to fill a buffer from`)
  }
}

/**
 * A launch file: the JSON of `grid`, `block`, `buffers` (`"a": "f32[1024]:random"`), `samplers` (`"s": "linear"`),
 * `args` and `overrides`.
 */
export function launchFile(path: string | undefined): LaunchFile {
  if (path === undefined) return {}
  const bad = (why: string): never =>
    fail(
      'explain.launch',
      `${path}: ${why}`,
      undefined,
      'it holds grid, block, buffers, samplers, args, overrides and shared as JSON',
    )
  let json: unknown
  try {
    json = JSON.parse(readSource(path))
  } catch (e) {
    if (e instanceof SyntaxError) bad(e.message)
    throw e
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return bad('a JSON object is needed')
  const fields = json as Readonly<Record<string, unknown>> // just checked
  const { dispatches, ...common } = fields
  if (dispatches === undefined) return launchOf(common, bad)
  if (!Array.isArray(dispatches) || dispatches.length === 0) return bad("'dispatches' must be a list of launches")
  return { ...launchOf(common, bad), dispatches: dispatches.map((d) => dispatchOf(d, bad)) }
}

/** What a launch file says: of all its dispatches, and of each. */
type LaunchFile = Partial<ExplainLaunch> & { readonly dispatches?: readonly NamedLaunch[] }

type Bad = (why: string) => never

function dispatchOf(json: unknown, bad: Bad): NamedLaunch {
  if (typeof json !== 'object' || json === null) return bad("each of 'dispatches' must be an object")
  const { entry, times, ...rest } = json as Readonly<Record<string, unknown>> // just checked
  const launch = launchOf(rest, bad)
  if (typeof entry !== 'string') return bad("each of 'dispatches' needs the name of its 'entry'")
  if (!launch.grid) return bad(`the dispatch of '${entry}' needs a 'grid'`)
  if (times !== undefined && (!Number.isInteger(times) || Number(times) < 1 || Number(times) > 1e6))
    return bad(`'times' of '${entry}' must be a number from 1 on`)
  return { entry, launch: { ...launch, grid: launch.grid }, ...(times !== undefined && { times: Number(times) }) }
}

function launchOf(fields: Readonly<Record<string, unknown>>, bad: Bad): Partial<ExplainLaunch> {
  const unknown = Object.keys(fields).find(
    (k) => !['grid', 'block', 'buffers', 'samplers', 'args', 'overrides', 'shared'].includes(k),
  )
  if (unknown) bad(`unknown key '${unknown}'`)
  const dims = (key: 'grid' | 'block'): Partial<ExplainLaunch> =>
    fields[key] === undefined
      ? {}
      : {
          [key]: parsed(
            () =>
              dimensions(
                Array.isArray(fields[key]) ? (fields[key] as readonly unknown[]).join(',') : String(fields[key]),
              ),
            bad,
            key,
          ),
        }
  const pairs = (key: string): [string, string][] => {
    const given = fields[key]
    return typeof given === 'object' && given !== null && !Array.isArray(given)
      ? Object.entries(given).map(([k, v]) => [k, String(v)])
      : bad(`'${key}' must be an object, a value for each name`)
  }
  const scalars = (key: 'args' | 'overrides'): Partial<ExplainLaunch> =>
    fields[key] === undefined
      ? {}
      : {
          [key]: pairs(key).reduce<Readonly<Record<string, number>>>(
            (all, [k, v]) => parsed(() => (key === 'args' ? numbers : number)(`${k}=${v}`, all), bad, k),
            {},
          ),
        }
  const buffers =
    fields['buffers'] === undefined
      ? {}
      : {
          buffers: pairs('buffers').reduce<Readonly<Record<string, BufferSpec>>>(
            (all, [k, v]) => parsed(() => buffer(`${k}=${v}`, all), bad, k),
            {},
          ),
        }
  const samplers =
    fields['samplers'] === undefined
      ? {}
      : {
          samplers: pairs('samplers').reduce<Readonly<Record<string, SamplerSpec>>>(
            (all, [k, v]) => parsed(() => sampler(`${k}=${v}`, all), bad, k),
            {},
          ),
        }
  const shared =
    fields['shared'] === undefined ? {} : { shared: parsed(() => bytes(String(fields['shared'])), bad, 'shared') }
  return {
    ...shared,
    ...dims('grid'),
    ...dims('block'),
    ...buffers,
    ...samplers,
    ...scalars('args'),
    ...scalars('overrides'),
  }
}

function parsed<T>(make: () => T, bad: (why: string) => never, key: string): T {
  try {
    return make()
  } catch (e) {
    if (e instanceof InvalidArgumentError) return bad(`'${key}': ${e.message}`)
    throw e
  }
}
