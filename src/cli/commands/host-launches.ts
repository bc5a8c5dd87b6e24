// Launches that the host code of a CUDA file says. In: the file's text, flags. Out: launches with entries, or one
// sentence that says which values are missing. Flags win over what the text says.
import { DiagnosticError, fail, type Diagnostic } from '../../base/index.ts'
import {
  deviceProperties,
  hostLaunches,
  programTexts,
  type BufferSpec,
  type ExplainLaunch,
  type ExplainSource,
  type HostLaunch,
  type NamedLaunch,
} from '../../explain/index.ts'
import { gpu, mostBlocksAlong, mostThreadsAlong, type GpuProfile } from '../../gpus/index.ts'
import type { Dim3 } from '../../ir/index.ts'
import { functionName, parametersOf, type Parameter } from '../../frontend/ptx/index.ts'

export interface HostFlags {
  readonly entry?: string
  /** The profile that tells the program what its GPU is. */
  readonly gpu?: GpuProfile | 'portable'
  readonly define?: readonly string[]
}

type Launching = Pick<ExplainSource, 'text' | 'file' | 'included' | 'ptx'>

/** Launches of the file, of `--entry` alone where that is given; empty where the text has none. */
export function launchesInText(
  source: Launching,
  given: Partial<ExplainLaunch>,
  { entry, define, gpu: asked }: HostFlags,
): readonly NamedLaunch[] {
  const wanted = entry === undefined ? null : baseName(entry)
  const [, ...texts] = programTexts(source),
    device = deviceProperties(asked === undefined || asked === 'portable' ? gpu('h200') : asked)
  const launches = (known: Readonly<Record<string, number>>): readonly HostLaunch[] =>
    hostLaunches(source.text, known, texts, device).filter((l) => wanted === null || baseName(l.entry) === wanted)
  const known = { ...definitions(define ?? []), ...given.args },
    first = launches(known),
    meant = hostNames(source, first, given.args ?? {})
  const every = Object.keys(meant).length === 0 ? first : launches({ ...meant, ...known }),
    isHere = entry === undefined ? kernelsOf(source) : () => true,
    all = every.filter((l) => isHere(l.entry)),
    elsewhere = every.filter((l) => !isHere(l.entry)).map((l) => refusedAt(source, l))
  if (all.length === 0 && elsewhere.length > 0) throw new DiagnosticError(elsewhere.map((l) => l.refused))
  const sure = all.flatMap((l) => (l.grid && (l.block ?? given.block) ? [named(source, l, l.grid, given, entry)] : [])),
    impossible = sure.flatMap(({ refused }) => refused ?? [])
  if (impossible.length > 0 && impossible.length === sure.length) throw new DiagnosticError(impossible)
  const unsure = all.find((l) => !l.isEmpty) ?? all[0]
  if (sure.length === 0 && unsure?.isEmpty)
    fail(
      'explain.launch',
      `the launch of ${unsure.entry} has no blocks or no threads: it ${failing}`,
      { file: source.file, line: unsure.line, column: unsure.column },
      'round the division up that makes its size, or give --grid and --block',
    )
  if (sure.length === 0 && unsure)
    fail(
      'explain.grid',
      `the launch of ${unsure.entry} says its size by ${unsure.missing.map((m) => `'${m}'`).join(', ') || 'a call'}, ` +
        `which the text does not say`,
      { file: source.file, line: unsure.line, column: 1 },
      unsure.missing[0] === undefined
        ? 'give --grid and --block'
        : `give --arg ${unsure.missing[0]}=1024, or --grid and --block`,
    )
  return distinct([...sure, ...elsewhere])
}

/** Whether the compiler made a kernel of a name; of a text that nobody compiled, all are taken to be there. */
function kernelsOf({ ptx }: Launching): (entry: string) => boolean {
  if (ptx === undefined) return () => true
  const all = new Set([...ptx.matchAll(/\.entry\s+([\w$]+)/g)].map(([, symbol = '']) => functionName(symbol)))
  return (entry) => all.has(baseName(entry))
}

type Refused = NamedLaunch & { readonly refused: Diagnostic }

/** A launch of a kernel that is not compiled with the file, and why at its own line. */
function refusedAt({ file }: Launching, { entry, open, line, column, grid }: HostLaunch): Refused {
  const [message, hint] = unknownKernel(entry, open)
  return {
    entry,
    place: `line ${line}`,
    launch: { grid: grid ?? [1, 1, 1] },
    refused: { severity: 'error', code: 'explain.elsewhere', message, at: { file, line, column }, hint },
  }
}

function unknownKernel(entry: string, open: HostLaunch['open']): readonly [string, string] {
  const name = baseName(entry)
  if (open === 'pointer')
    return [
      `the launch goes through '${entry}', and the text does not say which kernel that points to`,
      'name the kernel with --entry, and give --grid and --block',
    ]
  if (open === 'declared')
    return [
      `'${name}' is only declared here: the kernel that is launched is defined in another file`,
      `explain the file that defines it with --entry ${name}, --grid and --block, or include that file here`,
    ]
  return [
    `no kernel '${name}' is compiled with this file: it is defined elsewhere, or left out by the preprocessor`,
    `explain the file that defines it with --entry ${name}, --grid and --block, or give the macros that bring it (-D)`,
  ]
}

/** The parameters of the kernel, as the first text that has them says. */
function parametersIn(source: Pick<ExplainSource, 'text' | 'included'>, entry: string): readonly Parameter[] {
  return (
    programTexts(source)
      .map((t) => parametersOf(t, baseName(entry)))
      .find((n) => n) ?? []
  )
}

/** Whether a name is one of a member of the parameter, as far as its type says; pointers have none. */
const isMemberOf = (name: string, p: Parameter | undefined): boolean =>
  p !== undefined && name.startsWith(`${p.name}.`) && !p.type.includes('*')

/** A name, or a member of one. */
const pathPattern = /^[A-Za-z_]\w*(?:\.\w+)*$/

/** Arguments by the names that the host has for what it passes: `--arg n=8` is `size.n` where that is passed as `n`. */
function hostNames(
  source: Pick<ExplainSource, 'text' | 'included'>,
  launches: readonly HostLaunch[],
  args: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const l of launches)
    for (const [i, p] of parametersIn(source, l.entry).entries()) {
      const passed = l.passed[i] ?? ''
      if (p.name === '' || !pathPattern.test(passed)) continue
      for (const [arg, value] of Object.entries(args))
        if (arg === p.name || isMemberOf(arg, p)) found[`${passed}${arg.slice(p.name.length)}`] = value
    }
  return found
}

/** Arguments with members of structures by the names that the kernel has for what it is passed. */
function withMembers(
  { passed }: HostLaunch,
  parameters: readonly Parameter[],
  args: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const renamed = Object.entries(args).map(([arg, value]) => {
    const dot = arg.indexOf('.'),
      p = dot < 0 ? undefined : parameters[passed.indexOf(arg.slice(0, dot))],
      named = `${p?.name}${arg.slice(dot)}`
    return [isMemberOf(named, p) ? named : arg, value] as const
  })
  return Object.fromEntries(renamed)
}

const baseName = (entry: string): string =>
  entry
    .replace(/<[^]*$/, '')
    .split('::')
    .at(-1) ?? entry

/** `-D NAME=NUMBER`. */
const definitions = (define: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    define.flatMap((d) => {
      const [, name, value = '1'] = /^(\w+)(?:=(.+))?$/.exec(d) ?? []
      return name !== undefined && Number.isFinite(Number(value)) ? [[name, Number(value)]] : []
    }),
  )

function named(
  source: Launching,
  l: HostLaunch,
  grid: Dim3,
  given: Partial<ExplainLaunch>,
  entry: string | undefined,
): NamedLaunch {
  const parameters = parametersIn(source, l.entry),
    names = parameters.map((p) => p.name),
    at = { file: source.file, line: l.line, column: l.column }
  const own = {
    ...given,
    ...(given.args && { args: kernelArgs(withMembers(l, parameters, given.args), source.text, parameters) }),
  }
  const isGiven = (position: number): boolean => {
    const name = names[position]
    return name !== undefined && Object.hasOwn(given.args ?? {}, name)
  }
  const args = Object.entries(l.args).filter(([position]) => !isGiven(Number(position))),
    wrong = beyondLimits(given.grid ?? grid, given.block ?? l.block ?? [1, 1, 1])
  const buffers = Object.entries(l.bytes).flatMap(([position, bytes]): [string, BufferSpec][] => {
    const name = names[Number(position)]
    return name === undefined ? [] : [[name, { bytes }]]
  })
  return {
    entry: entry ?? l.entry,
    at,
    ...(wrong && { refused: { severity: 'error', code: 'explain.launch', at, ...wrong } }),
    place: `line ${l.line}${l.uncounted ? ', in a loop of unknown length: its first round' : ''}`,
    launch: {
      ...(l.block && { block: l.block }),
      ...(l.shared > 0 && { shared: l.shared }),
      ...own,
      grid: given.grid ?? grid,
      args: { ...Object.fromEntries(args), ...own.args },
      buffers: { ...Object.fromEntries(buffers), ...given.buffers },
    },
  }
}

/** What CUDA starts at most: threads of a block and along its z, blocks along y and z of a grid. */
const [mostThreads, , mostDeep] = mostThreadsAlong,
  [, mostRows] = mostBlocksAlong

/** What programs see only where they ask for errors. */
const failing = 'fails with "invalid configuration argument"'

/** Why CUDA does not start a launch of a size; null where it does. */
function beyondLimits(grid: Dim3, block: Dim3): { readonly message: string; readonly hint: string } | null {
  const threads = block[0] * block[1] * block[2],
    fails = `this launch ${failing}`
  if (threads > mostThreads)
    return {
      message:
        `a block of ${block.join(' × ')} is ${threads} threads, and a block has ${mostThreads} at most: ` + fails,
      hint: 'launch smaller blocks, or explain others with --block',
    }
  if (block[2] > mostDeep)
    return {
      message: `a block has ${mostDeep} threads along z at most, not ${block[2]}: ${fails}`,
      hint: 'lay the threads along x or y, or explain other blocks with --block',
    }
  const axis = grid[1] > mostRows ? 'y' : 'z',
    blocks = axis === 'y' ? grid[1] : grid[2]
  if (blocks <= mostRows) return null
  return {
    message: `a grid has ${mostRows} blocks along ${axis} at most, not ${blocks}: ${fails}`,
    hint: `lay the blocks along x, or explain another grid with --grid`,
  }
}

/** Without names of the host code that the kernel does not have. */
const kernelArgs = (
  args: Readonly<Record<string, number>>,
  text: string,
  parameters: readonly Parameter[],
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(args).filter(
      ([name]) =>
        parameters.length === 0 ||
        parameters.some((p) => p.name === name || isMemberOf(name, p)) ||
        !new RegExp(`\\b${name.split(/\W+/).join('\\W+')}\\b`).test(text),
    ),
  )

/** Launches that differ; those that are alike come so often. */
function distinct(launches: readonly NamedLaunch[]): readonly NamedLaunch[] {
  const groups = new Map<string, NamedLaunch>()
  for (const l of launches) {
    const key = JSON.stringify([l.entry, l.launch])
    const before = groups.get(key)
    groups.set(key, before ? { ...before, times: (before.times ?? 1) + 1 } : l)
  }
  return [...groups.values()]
}
