// In: the JSON of a job file. Out: the job, complete with its defaults and the texts of the files that it names. The
// one idea: whatever is wrong is one sentence with the name of the field; a field that nobody knows is wrong, too.
import { dirname, isAbsolute, join } from 'node:path'
import { fail, nearest } from '../../base/index.ts'
import { parseC, type ParserFiles } from '../../frontend/c/index.ts'
import { gpu } from '../../gpus/index.ts'
import type { Point } from '../../schedule/index.ts'
import { jobKinds, type Job, type JobProgram, type JobTarget } from './types.ts'

/** How files are read; `find` gives nothing where there is none. */
export interface JobFiles {
  readonly read: (path: string) => string
  readonly find: (path: string) => string | undefined
}

/** Where the fields are, in words, and what they may be called. */
interface Fields {
  readonly where: string
  readonly values: Readonly<Record<string, unknown>>
}

const wrong = (code: string, message: string, hint?: string): never => fail(`job.${code}`, message, undefined, hint)

const described = (value: unknown): string => {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** The fields of an object, all of which have one of these names. */
function fieldsOf(value: unknown, where: string, names: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('shape', `${where} must be an object, and is ${described(value)}`)
  const unknown = Object.keys(value).find((k) => !names.includes(k))
  if (unknown !== undefined) {
    const near = nearest(unknown, names)
    wrong(
      'field',
      `${where} has no field '${unknown}'`,
      near ? `did you mean '${near}'?` : `it has ${names.join(', ')}`,
    )
  }
  return { where, values: value as Readonly<Record<string, unknown>> } // an object, looked at field by field
}

function text({ where, values }: Fields, name: string, otherwise?: string): string {
  const value = values[name] ?? otherwise
  return typeof value === 'string' && value !== ''
    ? value
    : wrong('field', `${where}.${name} must be a text, and is ${described(value)}`)
}

function whole({ where, values }: Fields, name: string, least: number, most: number, otherwise?: number): number {
  const value = values[name] ?? otherwise
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    ? value
    : wrong('field', `${where}.${name} must be a whole number from ${least} to ${most}, and is ${described(value)}`)
}

function oneOf<T extends string>({ where, values }: Fields, name: string, choices: readonly T[], otherwise?: T): T {
  const value = values[name] ?? otherwise
  return (
    choices.find((c) => c === value) ??
    wrong('field', `${where}.${name} must be ${choices.join(' or ')}, and is ${described(value)}`)
  )
}

function list({ where, values }: Fields, name: string): readonly unknown[] {
  const value = values[name]
  return Array.isArray(value) && value.length > 0
    ? (value as readonly unknown[]) // elements are looked at by who asks
    : wrong('field', `${where}.${name} must be a list of at least one, and is ${described(value)}`)
}

function texts(fields: Fields, name: string): Readonly<Record<string, string>> {
  const value = fields.values[name]
  const at = `${fields.where}.${name}`
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('field', `${at} must be an object of texts, and is ${described(value)}`)
  for (const [key, x] of Object.entries(value))
    if (typeof x !== 'string') wrong('field', `${at}.${key} must be a text, and is ${described(x)}`)
  return value as Readonly<Record<string, string>> // just looked at
}

/** A point of a space: numbers by name. */
function pointOf(value: unknown, where: string): Point {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return wrong('point', `${where} must be an object of numbers, and is ${described(value)}`)
  const [name, x] = Object.entries(value).find(([, v]) => typeof v !== 'number' || !Number.isFinite(v)) ?? []
  if (name !== undefined) wrong('point', `${where}.${name} must be a number, and is ${described(x)}`)
  return value as Point // just looked at
}

const pointsOf = (fields: Fields, name: string): readonly Point[] =>
  list(fields, name).map((p, i) => pointOf(p, `${fields.where}.${name}[${i}]`))

const gpuOf = (fields: Fields): string => gpu(text(fields, 'gpu', 'h200')).name

function targetsOf(fields: Fields): readonly JobTarget[] {
  if (fields.values['targets'] === undefined) return ['wgsl', 'cuda']
  const given = list(fields, 'targets')
  const odd = given.find((t) => t !== 'wgsl' && t !== 'cuda')
  if (odd !== undefined) wrong('field', `${fields.where}.targets are wgsl and cuda, and not ${described(odd)}`)
  return (['wgsl', 'cuda'] as const).filter((t) => given.includes(t))
}

/** Integers of 32 bits, which every store and browser keeps exactly. */
const largest = 2 ** 31 - 1
const seed = (fields: Fields): number => whole(fields, 'seed', 0, largest, 1)

const inFolder = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path))

/** The program with what it includes; files are looked for beside the job. */
async function programOf(value: unknown, files: JobFiles, folder: string, wasm: ParserFiles): Promise<JobProgram> {
  const names = ['file', 'name', 'text', 'includes', 'function', 'defines', 'precision']
  const fields = fieldsOf(value, 'job.program', names)
  const { values } = fields
  if ((values['file'] === undefined) === (values['text'] === undefined))
    wrong('program', "job.program has either a 'file' or a 'text'")
  const file = values['file'] === undefined ? undefined : text(fields, 'file')
  const given = {
    name: file ?? text(fields, 'name', 'program.c'),
    text: file === undefined ? text(fields, 'text') : files.read(inFolder(folder, file)),
    ...(values['includes'] !== undefined && { includes: texts(fields, 'includes') }),
    ...(values['function'] !== undefined && { function: text(fields, 'function') }),
    ...(values['defines'] !== undefined && { defines: texts(fields, 'defines') }),
    ...(values['precision'] !== undefined && { precision: oneOf(fields, 'precision', ['f32'] as const) }),
  }
  return file === undefined
    ? given
    : withIncludes(given, (path) => files.find(inFolder(folder, join(dirname(file), path))), wasm)
}

/** The program with every file that reading it asks for. Throws where it cannot be read. */
export async function withIncludes(
  program: JobProgram,
  find: (path: string) => string | undefined,
  wasm: ParserFiles,
): Promise<JobProgram> {
  const includes: Record<string, string> = { ...program.includes }
  await parseC(program.text, program.name, {
    defines: program.defines ?? {},
    include: (path) => {
      const found = includes[path] ?? find(path)
      if (found !== undefined) includes[path] = found
      return found
    },
    wasm,
    ...(program.function !== undefined && { function: program.function }),
  })
  return Object.keys(includes).length > 0 ? { ...program, includes } : program
}

const programFields = ['schema', 'kind', 'program', 'gpu', 'targets', 'seed'] as const

/** The fields that each kind has. */
const fieldNames = {
  simulate: ['schema', 'kind', 'study', 'gpu', 'series', 'point'],
  optimize: [...programFields, 'budget'],
  search: [...programFields, 'part', 'points', 'slice', 'steps', 'shrink'],
  prove: [...programFields, 'points'],
  measure: [...programFields, 'on', 'device', 'candidates'],
  emit: [...programFields, 'candidates'],
  fuzz: ['schema', 'kind', 'program', 'gpu', 'targets', 'seeds'],
} as const satisfies Record<Job['kind'], readonly string[]>

function searched(fields: Fields): { readonly index: number; readonly of: number } | readonly Point[] {
  const { slice, points } = fields.values
  if ((slice === undefined) === (points === undefined)) wrong('search', "a search has either 'points' or a 'slice'")
  if (points !== undefined) return pointsOf(fields, 'points')
  const part = fieldsOf(slice, 'job.slice', ['index', 'of'])
  const of = whole(part, 'of', 1, 1e6)
  return { index: whole(part, 'index', 0, of - 1), of }
}

/** The job in `json`; files are named from `folder` on. Throws a `DiagnosticError` with one sentence. */
export async function readJob(json: unknown, files: JobFiles, folder: string, wasm: ParserFiles): Promise<Job> {
  const any = fieldsOf(json, 'job', [...new Set(Object.values(fieldNames).flat())])
  oneOf(any, 'schema', ['tesela.job/1'])
  const kind = oneOf(any, 'kind', jobKinds)
  const fields = fieldsOf(json, 'job', fieldNames[kind])
  if (kind === 'simulate')
    return {
      kind,
      study: text(fields, 'study'),
      gpu: gpuOf(fields),
      series: whole(fields, 'series', 0, largest, 0),
      point: whole(fields, 'point', 0, largest),
    }
  const on = {
    program: await programOf(fields.values['program'], files, folder, wasm),
    gpu: gpuOf(fields),
    targets: targetsOf(fields),
  }
  switch (kind) {
    case 'optimize':
      return { kind, ...on, seed: seed(fields), budget: whole(fields, 'budget', 1, 100_000, 24) }
    case 'search':
      return {
        kind,
        ...on,
        seed: seed(fields),
        part: whole(fields, 'part', 0, largest, 0),
        points: searched(fields),
        ...(fields.values['steps'] !== undefined && { steps: whole(fields, 'steps', 1, largest) }),
        shrink: whole(fields, 'shrink', 1, largest, 1),
      }
    case 'prove':
      return { kind, ...on, seed: seed(fields), points: pointsOf(fields, 'points') }
    case 'measure':
      return {
        kind,
        ...on,
        seed: seed(fields),
        ...deviceOf(fields, on.targets),
        candidates: candidatesOf(fields),
      }
    case 'emit':
      if (!on.targets.includes('wgsl')) wrong('field', 'emitting for browsers needs wgsl among the targets')
      return { kind, ...on, seed: seed(fields), candidates: candidatesOf(fields) }
    case 'fuzz': {
      const seeds = fieldsOf(fields.values['seeds'], 'job.seeds', ['from', 'count'])
      return {
        kind,
        ...on,
        seeds: { from: whole(seeds, 'from', 0, largest), count: whole(seeds, 'count', 1, 1e6) },
      }
    }
  }
}

/** What is measured on, as a `measure` job has it. */
type DeviceAsked = { readonly on: 'webgpu' | 'cuda' } | { readonly on: 'browser'; readonly device: string }

function deviceOf(fields: Fields, targets: readonly JobTarget[]): DeviceAsked {
  const on = oneOf(fields, 'on', ['webgpu', 'cuda', 'browser'] as const)
  const target = on === 'cuda' ? 'cuda' : 'wgsl'
  if (!targets.includes(target)) wrong('field', `measuring on ${on} needs ${target} among the targets`)
  if (on === 'browser') return { on, device: text(fields, 'device').trim().toLowerCase() }
  return fields.values['device'] === undefined
    ? { on }
    : wrong('field', "job.device is for measuring on 'browser': other workers measure on the device that they have")
}

const candidatesOf = (fields: Fields): readonly (readonly Point[])[] =>
  list(fields, 'candidates').map((candidate, i) => {
    const where = `job.candidates[${i}]`
    return Array.isArray(candidate) && candidate.length > 0
      ? candidate.map((p, part) => pointOf(p, `${where}[${part}]`))
      : wrong('point', `${where} must be a list with a point for each part, and is ${described(candidate)}`)
  })
