// In: lower bounds, and the predicted or measured time of a plan. Out: the ratio of the two and, where it is above
// two, a sentence on the main reason, with source lines. The one idea: the reason is the dominant cost of the slowest
// kernel; a loop that had to stay sequential comes first.
import { attempted, isInapplicable } from '../base/index.ts'
import { loopFacts } from '../analysis/index.ts'
import { eachStmt, type LoopStmt, type Nest, type Program, type Region } from '../ir/index.ts'
import type { Term } from '../model/index.ts'
import type { Analysed, Built } from '../pipeline.ts'
import type { Timing } from '../run/index.ts'
import type { Estimate, LaunchEstimate } from './estimate.ts'
import type { LowerBound } from './lower-bound.ts'
import type { RecurrenceBound } from './recurrence-bound.ts'

export interface Distance {
  /** The plan's time over the bound's. */
  readonly times: number
  readonly of: 'predicted' | 'measured'
  /** What stands between; absent where it is no more than twice the bound. */
  readonly finding?: DistanceFinding
}

export interface DistanceFinding {
  readonly kernel: string
  /** Its share of the plan's predicted time. */
  readonly share: number
  readonly boundBy: Term | 'launch' | 'order'
  /** First and last line of the source that it computes. */
  readonly lines: readonly [first: number, last: number] | null
  /** A sentence. */
  readonly message: string
}

/** Up to this many times the bound nothing stands between that is worth a sentence. */
const farEnough = 2

export function distanceFrom(
  bound: LowerBound,
  analysed: Analysed,
  built: Built,
  estimate: Estimate,
  timing: Timing | null,
  recurrence: RecurrenceBound | null,
): Distance {
  const ns = timing?.ns ?? estimate.prediction.ns,
    times = ns / Math.max(bound.ns, recurrence?.ns ?? 0),
    of = timing ? 'measured' : 'predicted'
  return times <= farEnough ? { times, of } : { times, of, finding: findingOf(bound, analysed, built, estimate) }
}

function findingOf(bound: LowerBound, analysed: Analysed, built: Built, { launches }: Estimate): DistanceFinding {
  const total = launches.reduce((n, l) => n + l.prediction.ns, 0)
  const [first] = launches,
    main = launches.reduce((a, b) => (b.prediction.ns > a.prediction.ns ? b : a), first!), // a plan launches something
    part = built.kernels[launches.indexOf(main)]?.part
  const nest = part === undefined ? undefined : analysed.parts[part]?.nest,
    lines = nest ? linesOf(nest) : null
  const inOrder = nest?.kind === 'serial' && nest.parallel === 0 ? nest.why : ''
  const repeated = main.prediction.terms.launch > largestOf(main).ns
  const boundBy = inOrder !== '' ? 'order' : repeated ? 'launch' : largestOf(main).term
  const share = main.prediction.ns / total
  const where =
    lines === null ? '' : ` (${lines[0] === lines[1] ? `line ${lines[0]}` : `lines ${lines[0]} to ${lines[1]}`})`
  const reason = boundBy === 'order' ? `runs in one thread: ${inOrder}` : reasons[boundBy](main, bound),
    chain = boundBy === 'latency' && nest?.kind === 'serial' ? chainIn(analysed.source, nest.body) : ''
  return {
    kernel: main.name,
    share,
    boundBy,
    lines,
    message: `${main.name}${where} takes ${Math.round(100 * share)} % of the time and ${reason}${chain}`,
  }
}

/** Which values the loops in `body` hand on that no schedule could take in another order, as the end of a sentence. */
function chainIn(source: Program, body: readonly LoopStmt[]): string {
  const lines = new Set<number>()
  eachStmt(body, (s) => {
    if (s.kind === 'loop' && s.at) lines.add(s.at.line)
  })
  const facts = attempted(() => loopFacts(source))
  if (isInapplicable(facts)) return ''
  for (const { kind, loop, blockers } of facts) {
    if (kind !== 'sequential' || !loop.at || !lines.has(loop.at.line)) continue
    const flows = blockers.filter((d) => d.kind === 'flow'),
      exact = flows.filter((d) => d.exact),
      carried = [...new Set((exact.length > 0 ? exact : flows).map((d) => d.array))].slice(0, mostNamed)
    if (carried.length > 0)
      return (
        `; iterations of the loop in line ${loop.at.line} ${exact.length > 0 ? 'need' : 'may need'} ` +
        `${carried.join(', ')} of earlier ones`
      )
  }
  return ''
}

/** Most variables that a sentence names. */
const mostNamed = 3

function largestOf({ prediction: { terms } }: LaunchEstimate): { readonly term: Term; readonly ns: number } {
  const { launch: _, ...own } = terms
  const [term, ns] = Object.entries(own).reduce((a, b) => (b[1] > a[1] ? b : a)) as [Term, number] // its keys
  return { term, ns }
}

const ratio = (a: number, b: number): string => (b > 0 ? `${(a / b).toPrecision(2)} times` : 'more than')

const bytesOver = (l: LaunchEstimate): number =>
  l.times * l.counters.sites.filter((s) => s.space === 'global').reduce((n, s) => n + s.sectors * 32, 0)

/** What a kernel does that is bound by each, as the end of a sentence. */
const reasons: Readonly<Record<Term | 'launch', (l: LaunchEstimate, bound: LowerBound) => string>> = {
  issue: (l, { operations: o }) =>
    `issues ${ratio(l.times * l.counters.instructions.thread, o.fp32 + o.fp64 + o.int + o.sfu)} as many instructions ` +
    'as the source has operations: places, conditions and copies are the rest',
  fp32: (l, b) => `does ${ratio(l.prediction.terms.fp32, b.terms.fp32)} the source's operations in single precision`,
  fp64: (l, b) => `does ${ratio(l.prediction.terms.fp64, b.terms.fp64)} the source's operations in double precision`,
  int: () => 'computes integers, most of them places of elements',
  sfu: (l, b) => `needs ${ratio(l.prediction.terms.sfu, b.terms.sfu)} the quotients and functions of the source`,
  shared: () => 'waits for workgroup memory, whose loads serve too few operations each',
  l1: (l, b) => `asks L1 for ${ratio(bytesOver(l), b.bytes)} the bytes that must be moved`,
  l2: (l, b) => `asks L2 for ${ratio(bytesOver(l), b.bytes)} the bytes that must be moved`,
  dram: (l, b) => `moves ${ratio(l.prediction.terms.dram, b.terms.memory)} the bytes that it must, by their time`,
  atomics: () => 'waits for atomic operations on the same elements',
  latency: () => 'waits for what each step needs of the one before, with too few warps to fill the waiting',
  blocks: () => 'starts more blocks than they have work for',
  spill: () => 'holds more values than registers, and moves them to memory and back',
  launch: (l) => `is launched ${l.times} times, each with too little work`,
}

/** Lines of the source that a region computes. */
function linesOf(r: Region): readonly [number, number] | null {
  const lines: number[] = []
  const see = (stmts: readonly LoopStmt[]): void =>
    stmts.forEach((s) => {
      if (s.at) lines.push(s.at.line)
      if (s.kind === 'loop') see(s.body)
      if (s.kind === 'if') see([...s.then, ...s.else])
    })
  if (r.kind === 'nest') lines.push(...linesOfNest(r))
  else see(r.kind === 'host' ? [r.source] : r.body)
  return lines.length === 0 ? null : [Math.min(...lines), Math.max(...lines)]
}

const linesOfNest = ({ parallel, reduction }: Nest): readonly number[] =>
  [...parallel, ...(reduction?.loops ?? [])].flatMap((l) => (l.at ? [l.at.line] : []))
