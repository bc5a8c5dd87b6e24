// In: what findings are made from, the source, the lanes of some requests. Out: `ExplainView`, what a drawn report
// shows that tables do not: addresses by lane with the transactions that serve them, one warp in time, instructions by
// line, the roofline. Plain data.
import { transactionsOf, type Transaction } from '../gpus/index.ts'
import { isCached, lineCosts, type LaneRequest, type LineCost, type Stmt, type Trace } from '../ir/index.ts'
import { timelineOf, type Moment } from '../model/index.ts'
import type { StepView } from './machine/interleaving.ts'
import { machineOf, type MachineView } from './machine/machine.ts'
import type { AccessJson, ExplainReport, ExplainSource, Rule } from './types.ts'
import type { Setting } from './what-if.ts'

/** A request with what is moved for it; of shared memory nothing is. */
export interface RequestView extends LaneRequest {
  readonly transactions: readonly Transaction[]
}

/** A line of the source with anything to say. */
export type LineView = LineCost

/** The roofline: what limits, where the kernel is, and where it would be without each cause. */
export interface RoofView {
  /** What is counted on the y axis. */
  readonly operation: 'floating-point instructions' | 'instructions'
  readonly operations: number
  readonly ns: number
  /** Operations a second at most. */
  readonly peak: number
  /** Bytes a second; only what the GPU has and is known. */
  readonly roofs: readonly { readonly name: 'L1' | 'L2' | 'DRAM'; readonly bytesPerSecond: number }[]
  /** Bytes of requests, and between L2 and DRAM. */
  readonly bytes: { readonly requests: number; readonly dram: number }
  readonly fixes: readonly {
    readonly rule: Rule
    readonly line: number | null
    readonly speedup: number
    readonly savedBytes: number
  }[]
}

export interface ExplainView {
  /**
   * Lines of the source from `from` on: all, or those around what has figures when there are more than a page can hold.
   */
  readonly source: readonly string[]
  readonly from: number
  /** Bytes of shared memory that a block takes. */
  readonly shared: number
  /** Integers of uniform variables, which `--arg` gives and which else are 0: some of them, when there are many. */
  readonly uniforms: readonly string[]
  /** By access of the report. */
  readonly requests: readonly (readonly RequestView[])[]
  readonly lines: readonly LineView[]
  readonly timeline: { readonly clocks: number; readonly steps: readonly StepView[]; readonly whole: boolean }
  readonly machine: MachineView
  readonly roof: RoofView
}

/** What a page can hold: uniform integers, steps, requests of all accesses and of one, lines and their length. */
const most = { uniforms: 12, steps: 400, requests: 400, each: 6, lines: 3000, columns: 300 } as const

export function viewOf(
  s: Setting,
  { file, text }: Pick<ExplainSource, 'file' | 'text'>,
  report: ExplainReport,
  lanes: ReadonlyMap<number, readonly LaneRequest[]>,
  together: Trace,
  uniforms: readonly string[],
): ExplainView {
  const each = Math.max(1, Math.min(most.each, Math.floor(most.requests / Math.max(1, s.list.length))))
  const requests = s.list.map(({ json, sites }, i) =>
    i < most.requests
      ? sites
          .flatMap((x) => lanes.get(x.site) ?? [])
          .slice(0, each)
          .map((r) => ({ ...r, transactions: moved(s, json, r) }))
      : [],
  )
  const sites = s.list.map((a) => a.json),
    lines = lineCosts(s.input.counters.executions, sites, file),
    time = timeline(s, file)
  return {
    ...shown(text.split('\n'), lines),
    shared: s.input.shared,
    uniforms: uniforms.slice(0, most.uniforms),
    requests,
    lines,
    timeline: time,
    machine: machineOf(s, time.steps, report, together),
    roof: roof(s, report),
  }
}

/** The part of the source that a page shows. */
function shown(source: readonly string[], lines: readonly LineView[]): Pick<ExplainView, 'source' | 'from'> {
  const cut = (text: string): string => (text.length > most.columns ? `${text.slice(0, most.columns)}…` : text)
  const first =
    source.length <= most.lines ? 1 : Math.max(1, Math.min((lines[0]?.line ?? 1) - 20, source.length - most.lines + 1))
  return { source: source.slice(first - 1, first - 1 + most.lines).map(cut), from: first }
}

function moved(s: Setting, { space, bytesPerLane, op }: AccessJson, r: LaneRequest): readonly Transaction[] {
  return space === 'global' ? transactionsOf(s.gpu, { addresses: r.addresses, active: r.active, bytesPerLane, op }) : []
}

/** Moments of the model, those of a line's arithmetic together. */
function timeline(s: Setting, file: string): ExplainView['timeline'] {
  const { clocks, moments } = timelineOf(s.input)
  const steps: StepView[] = []
  for (const m of moments) {
    if (m.kind === 'statement' && m.statement.kind === 'op' && m.issued < 0.5) continue
    const line = m.statement.at?.file === file ? m.statement.at.line : null
    const step = stepOf(m, line, accessAt(s, m.statement))
    const last = steps[steps.length - 1]
    if (step.what === 'compute' && last?.what === 'compute' && last.line === step.line && step.start <= last.ready) {
      steps[steps.length - 1] = {
        ...last,
        count: last.count + 1,
        issued: last.issued + step.issued,
        start: Math.min(last.start, step.start),
        ready: Math.max(last.ready, step.ready),
      }
    } else steps.push(step)
  }
  return { clocks, steps: steps.slice(0, most.steps), whole: steps.length <= most.steps }
}

/** The access of the report that a memory statement is. */
function accessAt(s: Setting, x: Stmt): number | null {
  if (x.kind !== 'load' && x.kind !== 'store' && x.kind !== 'atomic') return null
  const i = s.list.findIndex(
    ({ json, sites }) =>
      json.op === x.kind &&
      sites.some(
        (c) => c.at?.line === x.at?.line && c.at?.column === x.at?.column && c.resource === x.address.resource,
      ),
  )
  return i < 0 ? null : i
}

function stepOf(m: Moment, line: number | null, access: number | null): StepView {
  if (m.kind === 'rounds')
    return {
      line,
      what: 'rounds',
      access: null,
      count: Math.round(m.rounds),
      start: m.start,
      issued: 0,
      ready: m.ready,
    }
  const { kind } = m.statement
  const what = kind === 'load' || kind === 'store' || kind === 'atomic' || kind === 'barrier' ? kind : 'compute'
  return { line, what, access, count: 1, start: m.start, issued: m.issued, ready: m.ready }
}

function roof({ input, list, now }: Setting, report: ExplainReport): RoofView {
  const {
    profile,
    counters: { instructions },
  } = input
  const floating = instructions.byClass.fp32 + instructions.byClass.fp64 + instructions.byClass.sfu
  const perSecond = profile.multiprocessors * profile.clockHz.value
  const few = floating < 0.01 * instructions.thread
  const roofs = (
    [
      ['L1', profile.throughput.l1Bytes.value * perSecond],
      ['L2', profile.throughput.l2Bytes.value * perSecond],
      ['DRAM', profile.memory.dramBytesPerSecond.value],
    ] as const
  ).filter(([, b]) => b > 0 && Number.isFinite(b))
  const saved = (line: number | undefined, column: number | undefined): number =>
    list
      .filter(({ json: a }) => a.space === 'global' && a.at?.line === line && a.at?.column === column)
      .reduce((n, { json: a }) => n + a.movedBytes * (1 - Math.min(1, a.idealSectors / Math.max(1, a.sectors))), 0)
  return {
    operation: few ? 'instructions' : 'floating-point instructions',
    operations: few ? instructions.thread : floating,
    ns: now,
    peak: (few ? profile.schedulersPerSm * profile.warpSize : profile.throughput.fp32.value) * perSecond,
    roofs: roofs.map(([name, bytesPerSecond]) => ({ name, bytesPerSecond })),
    bytes: {
      requests: list.filter((a) => a.sites.some(isCached)).reduce((n, a) => n + a.json.movedBytes, 0),
      dram: ((report.prediction.terms.dram ?? 0) / 1e9) * profile.memory.dramBytesPerSecond.value,
    },
    fixes: report.findings
      .filter((f) => f.scope === 'global' && f.speedup >= 1.02 && f.rule !== 'SOLBottleneck')
      .map((f) => ({
        rule: f.rule,
        line: f.at?.line ?? null,
        speedup: f.speedup,
        savedBytes: f.rule === 'UncoalescedGlobalAccess' ? saved(f.at?.line, f.at?.column) : 0,
      })),
  }
}
