// A recording of what a page computes, explained whole. In: a `Recording`, options. Out: `tesela.frame/1`: each kind of
// dispatch once, with how often it came, its predicted time and its report, the dearest first, and what could not be
// explained with the reason. The one idea: dispatches of one entry with one grid and bindings of the same sizes are of
// one kind, and cost the same where the contents are the same; of many contents some are run, more where they differ,
// so that a frame of a thousand is a few launches.
import { attempted, diagnosticLine, fail, isInapplicable } from '../base/index.ts'
import { parseWgsl } from '../frontend/wgsl/index.ts'
import type { RecordedBinding, RecordedDispatch, Recording } from '../record/index.ts'
import type { AddressMode, SamplerSpec } from '../ir/index.ts'
import { explain } from './explain.ts'
import type { BufferSpec, ExplainLaunch, ExplainOptions, ExplainReport } from './types.ts'

/** Dispatches that are alike. */
export interface FrameKernel {
  /** Positions in the recording, from 0. */
  readonly dispatches: readonly number[]
  readonly shader: string
  readonly pass: string
  readonly grid: RecordedDispatch['grid']
  /** Contents that its buffers had, and how many of these were explained; the others count as the nearest. */
  readonly contents: number
  readonly explained: number
  /** Of one dispatch (the mean) and of all, in nanoseconds; null where it could not be explained. */
  readonly ns: number | null
  readonly total: number | null
  /** Of the contents that show most hazards, and are dearest among these. */
  readonly report: ExplainReport | null
  /** Why there is no report. */
  readonly refused?: string
}

/** `tesela.frame/1`. */
export interface FrameReport {
  readonly schema: 'tesela.frame/1'
  readonly gpu: string
  /** The device that was recorded. */
  readonly recorded: string
  /** Predicted nanoseconds of all dispatches one after the other. */
  readonly ns: number
  readonly dispatches: number
  /** Dispatches that the recording left out. */
  readonly left: number
  /** The dearest first. */
  readonly kernels: readonly FrameKernel[]
}

/** Explains all dispatches of a recording. Throws `frame.*` when it is none. */
export function explainFrame(recording: Recording, options: Omit<ExplainOptions, 'entry'>): FrameReport {
  const kinds = grouped([...recording.dispatches.keys()], (i) => {
    const d = recording.dispatches[i]! // a position
    return JSON.stringify([d.shader, d.entry, d.constants, d.grid, d.bindings.map(sized)])
  })
  const kernels = kinds.map((dispatches) => explainedKind(recording, dispatches, options))
  return {
    schema: 'tesela.frame/1',
    gpu: options.gpu.name,
    recorded: recording.device,
    ns: kernels.reduce((n, k) => n + (k.total ?? 0), 0),
    dispatches: recording.dispatches.length,
    left: recording.left,
    kernels: kernels.sort((a, b) => (b.total ?? -1) - (a.total ?? -1)),
  }
}

/** Lists of what has the same key, in the order of the first of each. */
function grouped(list: readonly number[], keyOf: (item: number) => string): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>()
  for (const item of list) {
    const key = keyOf(item),
      group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return [...groups.values()]
}

/** What a binding is without its contents: of buffers the bytes, not which one it is. */
const sized = (b: RecordedBinding): unknown =>
  b.kind === 'buffer' ? { ...b, buffer: 0, offset: 0, contents: undefined } : b

const contentsOf = (b: RecordedBinding): unknown => (b.kind === 'buffer' ? (b.contents ?? null) : null)

/** Contents that are run at first, and at most where their times differ by more than `alikeWithin`. */
const fewContents = 3,
  mostContents = 12,
  alikeWithin = 0.02

/** Positions that are spread evenly over a list, its ends among them. */
function spread(length: number, most: number): readonly number[] {
  if (length <= most) return [...Array(length).keys()]
  return Array.from({ length: most }, (_, i) => Math.round((i * (length - 1)) / (most - 1)))
}

type FrameOptions = Omit<ExplainOptions, 'entry'>

function explainedKind(recording: Recording, dispatches: readonly number[], options: FrameOptions): FrameKernel {
  const variants = grouped(dispatches, (i) => JSON.stringify(recording.dispatches[i]?.bindings.map(contentsOf)))
  const made = new Map<number, FrameKernel>()
  const run = (positions: readonly number[]): void => {
    for (const at of positions) if (!made.has(at)) made.set(at, explained(recording, variants[at] ?? [], options))
  }
  run(spread(variants.length, options.exact ? Infinity : fewContents))
  const times = (): number[] => [...made.values()].flatMap(({ ns }) => ns ?? [])
  if (Math.max(...times()) > (1 + alikeWithin) * Math.min(...times())) run(spread(variants.length, mostContents))
  const [first, ...others] = [...made.values()].sort(worstFirst) as [FrameKernel, ...FrameKernel[]] // one is run
  const common = { ...first, dispatches, contents: variants.length }
  if (first.ns === null) return { ...common, explained: 0 }
  const total = variants.reduce((sum, v, at) => sum + v.length * nearest(made, at), 0)
  const explainedCount = [first, ...others].filter((k) => k.ns !== null).length
  return { ...common, explained: explainedCount, ns: total / dispatches.length, total }
}

/** What could be explained, then most errors, then the dearest. */
function worstFirst(a: FrameKernel, b: FrameKernel): number {
  const errors = ({ report }: FrameKernel): number =>
    report ? report.hazards.filter((h) => h.level === 'error').length : -1
  return errors(b) - errors(a) || (b.ns ?? 0) - (a.ns ?? 0)
}

/** Nanoseconds of the contents at a position: its own, or those of the nearest that were explained. */
function nearest(made: ReadonlyMap<number, FrameKernel>, at: number): number {
  const known = [...made].filter(([, k]) => k.ns !== null)
  const [, kernel] = known.sort(([a], [b]) => Math.abs(a - at) - Math.abs(b - at))[0] ?? []
  return kernel?.ns ?? 0
}

/** One dispatch of some that have the same contents. */
function explained(recording: Recording, dispatches: readonly number[], options: FrameOptions): FrameKernel {
  const dispatch = recording.dispatches[dispatches[0]!]! // groups have one
  const { code = '', label = '' } = recording.shaders[dispatch.shader] ?? {}
  const shader = label || dispatch.pipeline || `shader ${dispatch.shader}`
  const common = { dispatches, shader, pass: dispatch.pass, grid: dispatch.grid, contents: 1, explained: 1 }
  const none = (refused: string): FrameKernel => ({
    ...common,
    explained: 0,
    ns: null,
    total: null,
    report: null,
    refused,
  })
  const { grid, entry, constants } = dispatch
  if (!grid) return none('its workgroups stand in a buffer that a shader wrote')
  if (grid.includes(0)) return none('it dispatches no workgroup')
  const report = attempted(() => {
    const of = { ...(entry !== undefined && { entry }) }
    const { bindings, samplers } = parseWgsl(code, shader, { ...of, overrides: constants })
    const launch: ExplainLaunch = {
      grid,
      overrides: constants,
      buffers: Object.fromEntries(bindings.flatMap((b) => bound(b, dispatch, recording))),
      samplers: Object.fromEntries(samplers.flatMap((s) => sampling(s, dispatch))),
    }
    return explain({ text: code, file: shader }, launch, { ...options, ...of })
  })
  if (isInapplicable(report)) return none(report.inapplicable.map(diagnosticLine).join('; '))
  const { ns } = report.prediction
  return { ...common, ns, total: ns * dispatches.length, report }
}

interface Place {
  readonly name: string
  readonly group: number
  readonly binding: number
}

const at = ({ group, binding }: Place, { bindings }: RecordedDispatch): RecordedBinding | undefined =>
  bindings.find((b) => b.group === group && b.binding === binding)

function bound(place: Place, dispatch: RecordedDispatch, { contents }: Recording): [string, BufferSpec][] {
  const b = at(place, dispatch)
  if (b?.kind === 'texture')
    return [[place.name, { texture: { format: b.format, size: b.size, levels: b.levels, samples: b.samples } }]]
  if (b?.kind !== 'buffer') return []
  if (b.contents === 'zero') return [[place.name, { bytes: b.size, fill: 'zero' }]]
  const text = b.contents === undefined ? undefined : contents[b.contents]
  return [[place.name, { bytes: b.size, ...(text !== undefined && { fill: bytesOf(text) }) }]]
}

function sampling(place: Place, dispatch: RecordedDispatch): [string, SamplerSpec][] {
  const b = at(place, dispatch)
  if (b?.kind !== 'sampler') return []
  const address = b.address.map((mode) => modes[mode] ?? 'clamp') as [AddressMode, AddressMode, AddressMode]
  return [[place.name, { filter: b.filter, mip: b.mip, address }]]
}

const modes: Readonly<Record<string, AddressMode>> = {
  'clamp-to-edge': 'clamp',
  repeat: 'repeat',
  'mirror-repeat': 'mirror',
}

function bytesOf(base64: string): ArrayBuffer {
  const text = atob(base64)
  return Uint8Array.from(text, (c) => c.charCodeAt(0)).buffer
}

/** The recording in a JSON text. Throws `frame.recording` when it is none. */
export function parseRecording(text: string, file: string): Recording {
  const bad = (why: string): never =>
    fail('frame.recording', why, { file, line: 1, column: 1 }, "'tesela/record' writes recordings: recordPage().save()")
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return bad(`this is no JSON: ${error.message}`)
    throw error
  }
  const { schema, shaders, contents, dispatches, left } = (json ?? {}) as Partial<Recording>
  if (schema !== 'tesela.recording/1') return bad('this is no recording: its schema is not tesela.recording/1')
  const isWhole =
    Array.isArray(shaders) &&
    shaders.every((s) => typeof s?.code === 'string' && typeof s.label === 'string') &&
    Array.isArray(contents) &&
    contents.every((c) => typeof c === 'string' && /^[A-Za-z0-9+/=]*$/.test(c)) &&
    Array.isArray(dispatches) &&
    dispatches.every(isDispatch) &&
    typeof left === 'number'
  return isWhole ? (json as Recording) : bad('this recording is damaged: parts of it are missing or of another kind')
}

const isNumbers = (x: unknown, n: number): boolean =>
  Array.isArray(x) && x.length === n && x.every((v) => Number.isInteger(v) && v >= 0)

function isDispatch(d: unknown): boolean {
  const { shader, pass, pipeline, entry, constants, grid, bindings } = (d ?? {}) as Partial<RecordedDispatch>
  return (
    Number.isInteger(shader) &&
    typeof pass === 'string' &&
    typeof pipeline === 'string' &&
    (entry === undefined || typeof entry === 'string') &&
    typeof constants === 'object' &&
    (grid === null || isNumbers(grid, 3)) &&
    Array.isArray(bindings) &&
    bindings.every(isBinding)
  )
}

function isBinding(b: unknown): boolean {
  const of = (b ?? {}) as Partial<RecordedBinding>
  if (!Number.isInteger(of.group) || !Number.isInteger(of.binding)) return false
  if (of.kind === 'buffer')
    return (
      Number.isInteger(of.size) &&
      (of.contents === undefined || of.contents === 'zero' || Number.isInteger(of.contents))
    )
  if (of.kind === 'texture') return typeof of.format === 'string' && isNumbers(of.size, 3)
  return of.kind === 'sampler' && Array.isArray(of.address)
}
